/* expect: holds under sequential-consistency */
#include <atomic>
#include <cassert>
#include <thread>

// Additions are relaxed, the last one acquires what the others released.
struct Counted {
    std::atomic<int> count{1};
    int data = 0;
};

static void release(Counted *it) {
    if (it->count.fetch_sub(1, std::memory_order_release) == 1) {
        std::atomic_thread_fence(std::memory_order_acquire);
        delete it;
    }
}

int main() {
    auto *it = new Counted;
    it->count.fetch_add(1, std::memory_order_relaxed);
    std::thread other([it] {
        int seen = it->data;
        assert(seen == 0);
        release(it);
    });
    release(it);
    other.join();
}
