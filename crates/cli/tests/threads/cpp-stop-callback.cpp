/* expect: holds under sequential-consistency */
// A callback that is removed while a stop is requested. It is on the stack of main, and so is what it counts.
#include <stop_token>
#include <thread>
#include <atomic>
#include <cassert>
int main() {
    std::stop_source source;
    std::atomic<int> called = 0;
    std::thread thread([&] { source.request_stop(); });
    {
        std::stop_callback callback(source.get_token(), [&] { called++; });
    }
    thread.join();
    assert(called <= 1);
}
