/* expect: holds */
/* std::scoped_lock takes several without a deadlock. */
#include <thread>
#include <mutex>

int main() {
    std::mutex a, b;
    std::thread first([&] {
        std::scoped_lock both(a, b);
    });
    std::thread second([&] {
        std::scoped_lock both(a, b);
    });
    first.join();
    second.join();
}
