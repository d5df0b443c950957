/* expect: holds under sequential-consistency */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag;
static int data;

int main() {
    std::thread waiter([] {
        flag.wait(0);
        assert(data == 1);
    });
    data = 1;
    flag.store(1);
    flag.notify_one();
    waiter.join();
}
