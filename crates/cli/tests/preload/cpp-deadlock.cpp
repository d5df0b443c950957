/* expect: violated deadlock */
#include <mutex>
#include <thread>

int main() {
    std::mutex a, b;
    std::thread thread([&] {
        std::lock_guard first(a);
        std::lock_guard second(b);
    });
    {
        std::lock_guard first(b);
        std::lock_guard second(a);
    }
    thread.join();
}
