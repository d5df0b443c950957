/* expect: holds under sequential-consistency */
#include <atomic>
#include <cassert>
#include <thread>

int main() {
    std::atomic<int> rounds = 0;
    {
        std::jthread thread([&](std::stop_token stop) {
            while (!stop.stop_requested())
                std::this_thread::yield();
            rounds++;
        });
    }
    assert(rounds == 1);
}
