/* expect: holds under sequential-consistency */
#include <cassert>
#include <condition_variable>
#include <shared_mutex>
#include <thread>

int main() {
    std::shared_mutex mutex;
    std::condition_variable_any changed;
    bool ready = false;
    std::thread thread([&] {
        std::unique_lock lock(mutex);
        ready = true;
        changed.notify_all();
    });
    {
        std::shared_lock lock(mutex);
        changed.wait(lock, [&] { return ready; });
        assert(ready);
    }
    thread.join();
}
