/* expect: holds under sequential-consistency */
#include <thread>
#include <mutex>
#include <cassert>

static std::mutex lock;
static int counter;

int main() {
    {
        std::jthread first([] { std::scoped_lock guard(lock); counter++; });
        std::jthread second([] { std::scoped_lock guard(lock); counter++; });
    }
    assert(counter == 2);
}
