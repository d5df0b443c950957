/* expect: holds under sequential-consistency */
#include <barrier>
#include <cassert>
#include <thread>

int main() {
    int phases = 0;
    int parts[2] = {};
    auto finish = [&]() noexcept {
        assert(parts[0] == phases + 1 && parts[1] == phases + 1);
        phases++;
    };
    std::barrier barrier(2, finish);
    auto work = [&](int number) {
        for (int round = 1; round <= 1; round++) {
            parts[number] = round;
            barrier.arrive_and_wait();
        }
    };
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
    assert(phases == 1);
}
