/* expect: holds under sequential-consistency */
// Semaphores of C++20, one that hands over and one with a time.
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

int main() {
    std::binary_semaphore full(0), empty(1);
    int slot = 0, sum = 0;
    std::thread producer([&] {
        for (int value = 1; value <= 2; value++) {
            empty.acquire();
            slot = value;
            full.release();
        }
    });
    for (int round = 0; round < 2; round++) {
        full.acquire();
        sum += slot;
        empty.release();
    }
    producer.join();
    assert(sum == 3);
    std::counting_semaphore<4> none(0);
    assert(!none.try_acquire_for(std::chrono::milliseconds(1)));
}
