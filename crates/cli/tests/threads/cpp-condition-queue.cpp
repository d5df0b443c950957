/* expect: holds */
#include <thread>
#include <mutex>
#include <cassert>
#include <condition_variable>
#include <queue>

int main() {
    std::mutex lock;
    std::condition_variable changed;
    std::queue<int> queue;
    int sum = 0;
    std::thread consumer([&] {
        for (int i = 0; i < 2; i++) {
            std::unique_lock<std::mutex> guard(lock);
            changed.wait(guard, [&] { return !queue.empty(); });
            sum += queue.front();
            queue.pop();
        }
    });
    for (int i = 1; i <= 2; i++) {
        std::lock_guard<std::mutex> guard(lock);
        queue.push(i);
        changed.notify_one();
    }
    consumer.join();
    assert(sum == 3);
}
