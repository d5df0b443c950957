/* expect: holds */
#include <thread>
#include <mutex>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <vector>

class Pool {
  public:
    explicit Pool(int size) {
        for (int i = 0; i < size; i++)
            workers.emplace_back([this] { work(); });
    }

    ~Pool() {
        {
            std::lock_guard<std::mutex> guard(lock);
            ending = true;
        }
        changed.notify_all();
        for (auto &worker : workers)
            worker.join();
    }

    void submit(std::function<void()> task) {
        {
            std::lock_guard<std::mutex> guard(lock);
            tasks.push_back(std::move(task));
        }
        changed.notify_one();
    }

  private:
    void work() {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock<std::mutex> guard(lock);
                changed.wait(guard, [this] { return ending || !tasks.empty(); });
                if (tasks.empty())
                    return;
                task = std::move(tasks.front());
                tasks.pop_front();
            }
            task();
        }
    }

    std::mutex lock;
    std::condition_variable changed;
    std::deque<std::function<void()>> tasks;
    std::vector<std::thread> workers;
    bool ending = false;
};

int main() {
    int done = 0;
    {
        Pool pool(1);
        pool.submit([&] { done++; });
        pool.submit([&] { done++; });
    }
    assert(done == 2);
}
