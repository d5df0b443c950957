/* expect: holds under sequential-consistency */
// A task of its own thread, and one that runs when it is asked for.
#include <cassert>
#include <future>

int main() {
    int shared = 0;
    auto task = std::async(std::launch::async, [&] { return ++shared; });
    auto later = std::async(std::launch::deferred, [] { return 7; });
    assert(task.get() == 1);
    assert(shared == 1 && later.get() == 7);
}
