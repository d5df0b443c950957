/* expect: holds under sequential-consistency */
// A barrier with a step at the end of each phase.
#include <barrier>
#include <cassert>
#include <thread>

int main() {
    int phases = 0, values[2] = {};
    auto end = [&]() noexcept { phases++; assert(values[0] == phases && values[1] == phases); };
    std::barrier barrier(2, end);
    auto work = [&](int own) {
        for (int round = 0; round < 2; round++) {
            values[own]++;
            barrier.arrive_and_wait();
        }
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    assert(phases == 2);
}
