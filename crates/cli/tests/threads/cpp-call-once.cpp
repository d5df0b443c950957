/* expect: holds */
#include <thread>
#include <mutex>
#include <cassert>

static std::once_flag flag;
static int made;

int main() {
    auto run = [] {
        std::call_once(flag, [] { made++; });
        assert(made == 1);
    };
    std::thread first(run), second(run);
    first.join();
    second.join();
}
