/* expect: holds under sequential-consistency */
/* Copies of one shared pointer are used by several threads; the last deletes. */
#include <cassert>
#include <memory>
#include <thread>

static int alive;
struct Thing {
    Thing() { alive++; }
    ~Thing() { alive--; }
    int value = 5;
};

int main() {
    auto shared = std::make_shared<Thing>();
    std::thread first([copy = shared] { assert(copy->value == 5); });
    std::thread second([copy = std::move(shared)] { assert(copy->value == 5); });
    first.join();
    second.join();
    assert(alive == 0);
}
