/* expect: violated crash */
/* Nobody catches it. */
#include <thread>
#include <mutex>
#include <atomic>
#include <stdexcept>

static std::atomic<int> turns;

int main() {
    std::thread first([] {
        if (turns++ == 1)
            throw std::runtime_error("second");
    });
    turns++;
    first.join();
}
