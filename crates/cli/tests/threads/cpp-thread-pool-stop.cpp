/* expect: holds */
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

// A pool that runs what is left before it ends.
class Pool {
public:
    explicit Pool(int size) {
        for (int i = 0; i < size; i++) workers.emplace_back([this] { run(); });
    }
    void post(std::function<void()> task) {
        {
            std::lock_guard<std::mutex> guard(mutex);
            tasks.push(std::move(task));
        }
        changed.notify_one();
    }
    ~Pool() {
        {
            std::lock_guard<std::mutex> guard(mutex);
            stops = true;
        }
        changed.notify_all();
        for (auto &worker : workers) worker.join();
    }

private:
    void run() {
        for (;;) {
            std::unique_lock<std::mutex> guard(mutex);
            changed.wait(guard, [this] { return stops || !tasks.empty(); });
            if (tasks.empty()) return;
            auto task = std::move(tasks.front());
            tasks.pop();
            guard.unlock();
            task();
        }
    }
    std::mutex mutex;
    std::condition_variable changed;
    std::queue<std::function<void()>> tasks;
    bool stops = false;
    std::vector<std::thread> workers;
};

int main() {
    int done = 0;
    {
        Pool pool(1);
        pool.post([&] { done++; });
        pool.post([&] { done++; });
    }
    assert(done == 2);
}
