/* expect: holds under sequential-consistency */
#include <cassert>
#include <latch>
#include <thread>

int main() {
    std::latch ready(2);
    int values[2] = {};
    std::thread first([&] { values[0] = 1; ready.count_down(); });
    std::thread second([&] { values[1] = 2; ready.count_down(); });
    ready.wait();
    assert(values[0] + values[1] == 3);
    first.join();
    second.join();
}
