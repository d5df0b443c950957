/* expect: holds under sequential-consistency */
// A weak pointer gives the object or nothing.
#include <cassert>
#include <memory>
#include <thread>

int main() {
    auto owner = std::make_shared<int>(5);
    std::weak_ptr<int> weak = owner;
    std::thread other([weak] {
        if (auto seen = weak.lock())
            assert(*seen == 5);
    });
    owner.reset();
    other.join();
    assert(weak.expired());
}
