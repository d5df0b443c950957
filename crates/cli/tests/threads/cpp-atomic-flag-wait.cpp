/* expect: holds under sequential-consistency */
#include <atomic>
#include <cassert>
#include <thread>

int main() {
    std::atomic_flag flag;
    int value = 0;
    std::thread thread([&] {
        value = 7;
        flag.test_and_set();
        flag.notify_one();
    });
    flag.wait(false);
    assert(value == 7);
    thread.join();
}
