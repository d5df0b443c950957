/* expect: holds under sequential-consistency */
#include <cassert>
#include <future>
#include <thread>
#include <utility>

// Two futures of one thread, taken in the other order.
int main() {
    std::promise<int> first, second;
    auto a = first.get_future(), b = second.get_future();
    std::thread maker([&] {
        first.set_value(1);
        second.set_value(2);
    });
    assert(b.get() + a.get() == 3);
    maker.join();
}
