/* expect: holds, executions 2 */
#include <thread>
#include <mutex>
#include <cassert>

static std::mutex lock;
static int counter;

int main() {
    auto run = [] {
        std::lock_guard<std::mutex> guard(lock);
        counter++;
    };
    std::thread first(run), second(run);
    first.join();
    second.join();
    assert(counter == 2);
}
