/* expect: violated deadlock */
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::atomic<bool> ready = false;
    std::thread thread([&] {
        ready = true;
        changed.notify_all();
    });
    {
        std::unique_lock lock(mutex);
        while (!ready)
            changed.wait(lock);
    }
    thread.join();
}
