/* expect: holds */
// Who waits with a time limit looks at the clock afterwards: if the limit has run out, the clock says so, and nobody waits again.
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
        {
            std::lock_guard guard(lock);
            is_ready = true;
        }
        changed.notify_one();
    });
    {
        std::unique_lock guard(lock);
        bool was_ready = changed.wait_for(guard, std::chrono::seconds(30), [&] { return is_ready; });
        assert(was_ready == is_ready);
    }
    thread.join();
}
