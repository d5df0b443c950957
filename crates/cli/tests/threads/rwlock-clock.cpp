/* expect: violated assertion */
/* A lock that is held is not to be had, however long one tries; the C++ library asks by a clock. */
#include <cassert>
#include <chrono>
#include <shared_mutex>
#include <thread>

static std::shared_timed_mutex mutex;

int main() {
    mutex.lock();
    std::thread other([] {
        bool taken = mutex.try_lock_for(std::chrono::milliseconds(5));
        assert(taken);
    });
    other.join();
    mutex.unlock();
}
