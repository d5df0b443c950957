/* expect: holds */
// A plain number, used atomically through references.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
    int number = 0;
    auto add = [&] { std::atomic_ref(number)++; };
    std::thread one(add), two(add);
    one.join();
    two.join();
    assert(number == 2);
}
