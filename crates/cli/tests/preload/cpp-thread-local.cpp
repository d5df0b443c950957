/* expect: inconclusive */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

static thread_local std::string name = "none";
static std::mutex mutex;

static void use(const char *given) {
    assert(name == "none");
    name = given;
    {
        std::lock_guard lock(mutex);
    }
    assert(name == given);
}

int main() {
    std::thread first(use, "first"), second(use, "second");
    first.join();
    second.join();
    assert(name == "none");
}
