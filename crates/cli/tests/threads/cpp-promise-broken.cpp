/* expect: holds under sequential-consistency */
// A promise that is never kept tells so; an exception goes over to who waits.
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
    std::promise<void> first;
    auto future = first.get_future();
    std::thread other([promise = std::move(first)]() mutable {
        try {
            throw std::runtime_error("no");
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    });
    bool was_thrown = false;
    try {
        future.get();
    } catch (const std::runtime_error &) {
        was_thrown = true;
    }
    other.join();
    assert(was_thrown);
    std::future<int> broken = std::promise<int>().get_future();
    try {
        broken.get();
        assert(false);
    } catch (const std::future_error &error) {
        assert(error.code() == std::future_errc::broken_promise);
    }
}
