/* expect: holds under sequential-consistency */
#include <cassert>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    auto shared = promise.get_future().share();
    int sum[2] = {};
    std::thread first([&sum, shared] { sum[0] = shared.get(); });
    std::thread second([&sum, shared] { sum[1] = shared.get(); });
    promise.set_value(3);
    first.join();
    second.join();
    assert(sum[0] + sum[1] == 6);
}
