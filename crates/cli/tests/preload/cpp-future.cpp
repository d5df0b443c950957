/* expect: inconclusive */
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

int main() {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread thread([&] { promise.set_value(7); });
    auto other = std::async(std::launch::async, [] { return 1; });
    assert(future.get() + other.get() == 8);
    thread.join();
}
