/* expect: holds */
// Readers and a writer of C++17, and a timed one.
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
    std::shared_mutex mutex;
    std::shared_timed_mutex timed;
    int first = 0, second = 0;
    auto read = [&] {
        std::shared_lock lock(mutex);
        assert(first == second);
    };
    std::thread one(read);
    std::thread two([&] {
        std::unique_lock lock(mutex);
        first++;
        second++;
    });
    if (timed.try_lock_for(std::chrono::milliseconds(1)))
        timed.unlock();
    one.join();
    two.join();
    read();
}
