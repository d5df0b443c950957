/* expect: holds */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

int main() {
    std::recursive_timed_mutex mutex;
    int counter = 0;
    auto count = [&] {
        if (mutex.try_lock_for(std::chrono::milliseconds(1))) {
            std::lock_guard again(mutex);
            counter++;
            mutex.unlock();
        }
    };
    std::thread first(count), second(count);
    first.join();
    second.join();
    assert(counter == 1 || counter == 2);
}
