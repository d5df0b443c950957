/* expect: violated data-race */
/* The pointer is looked at without a lock. */
#include <mutex>
#include <thread>

struct Single {
    int value = 1;
};
static Single *single;
static std::mutex mutex;

static Single *get() {
    if (!single) {
        std::lock_guard lock(mutex);
        if (!single)
            single = new Single;
    }
    return single;
}

int main() {
    std::thread first(get), second(get);
    first.join();
    second.join();
    delete single;
}
