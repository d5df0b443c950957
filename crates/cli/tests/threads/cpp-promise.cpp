/* expect: holds under sequential-consistency */
// A promise is kept by another thread; what was written before is seen.
#include <cassert>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    int data = 0;
    auto future = promise.get_future().share();
    std::thread other([&] {
        data = 3;
        promise.set_value(4);
    });
    assert(future.get() == 4 && data == 3);
    other.join();
}
