/* expect: holds under sequential-consistency */
#include <thread>
#include <mutex>
#include <cassert>

static int compute() {
    return 7;
}

struct Instance {
    int value = compute();
    ~Instance() {}
};

static Instance &instance() {
    static Instance only;
    return only;
}

int main() {
    std::thread first([] { assert(instance().value == 7); }), second([] { assert(instance().value == 7); });
    first.join();
    second.join();
}
