/* expect: violated deadlock */
#include <mutex>
#include <shared_mutex>
#include <thread>

// Two readers who both want to write, and keep reading meanwhile.
static std::shared_mutex gate, room;

static void work() {
    std::shared_lock<std::shared_mutex> reading(gate);
    std::unique_lock<std::shared_mutex> writing(room);
    reading.unlock();
    std::unique_lock<std::shared_mutex> both(gate);
}

int main() {
    std::thread other(work);
    work();
    other.join();
}
