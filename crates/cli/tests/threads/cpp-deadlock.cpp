/* expect: violated deadlock */
#include <thread>
#include <mutex>

int main() {
    std::mutex a, b;
    std::thread first([&] {
        std::lock_guard<std::mutex> one(a);
        std::lock_guard<std::mutex> two(b);
    });
    std::thread second([&] {
        std::lock_guard<std::mutex> one(b);
        std::lock_guard<std::mutex> two(a);
    });
    first.join();
    second.join();
}
