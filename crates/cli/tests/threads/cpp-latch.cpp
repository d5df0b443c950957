/* expect: holds under sequential-consistency */
// A latch opens when both have counted it down.
#include <cassert>
#include <latch>
#include <thread>

int main() {
    std::latch latch(2);
    int first = 0, second = 0;
    std::thread one([&] { first = 1; latch.count_down(); });
    std::thread two([&] { second = 1; latch.arrive_and_wait(); assert(first == 1); });
    latch.wait();
    assert(first + second == 2);
    one.join();
    two.join();
}
