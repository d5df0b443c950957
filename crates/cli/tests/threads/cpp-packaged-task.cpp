/* expect: holds under sequential-consistency */
// Tasks in a queue, done by a pool of one.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

int main() {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::packaged_task<int()>> tasks;
    bool is_over = false;
    std::thread worker([&] {
        for (;;) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return is_over || !tasks.empty(); });
            if (tasks.empty())
                return;
            auto task = std::move(tasks.front());
            tasks.pop_front();
            lock.unlock();
            task();
        }
    });
    std::packaged_task<int()> task([] { return 6; });
    auto result = task.get_future();
    {
        std::lock_guard lock(mutex);
        tasks.push_back(std::move(task));
    }
    changed.notify_one();
    assert(result.get() == 6);
    {
        std::lock_guard lock(mutex);
        is_over = true;
    }
    changed.notify_all();
    worker.join();
}
