/* expect: violated assertion */
/* The time is over before anybody is there: then the condition need not hold. */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
    std::mutex lock;
    std::condition_variable changed;
    bool is_ready = false;
    std::thread thread([&] {
        std::lock_guard guard(lock);
        is_ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock guard(lock);
        changed.wait_for(guard, std::chrono::milliseconds(10), [&] { return is_ready; });
        assert(is_ready);
    }
    thread.join();
}
