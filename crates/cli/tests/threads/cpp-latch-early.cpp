/* expect: violated data-race */
#include <cassert>
#include <latch>
#include <thread>

int main() {
    std::latch ready(1);
    int values[2] = {};
    std::thread first([&] { values[0] = 1; ready.count_down(); });
    std::thread second([&] { values[1] = 2; });
    ready.wait();
    assert(values[0] == 1 && values[1] <= 2);
    first.join();
    second.join();
}
