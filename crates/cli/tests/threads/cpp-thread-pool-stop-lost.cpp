/* expect: violated deadlock */
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

// The flag is set without the lock, between the test and the wait.
static std::mutex mutex;
static std::condition_variable changed;
static std::atomic<bool> stops;

int main() {
    std::thread worker([] {
        std::unique_lock<std::mutex> guard(mutex);
        while (!stops) changed.wait(guard);
    });
    stops = true;
    changed.notify_all();
    worker.join();
}
