/* expect: violated data-race */
#include <atomic>
#include <cassert>
#include <thread>

// The exchange that publishes is relaxed.
struct Box {
    int data;
};
static std::atomic<Box *> slot;

int main() {
    std::thread maker([] {
        Box *box = new Box{1};
        slot.exchange(box, std::memory_order_relaxed);
    });
    Box *seen = slot.exchange(nullptr, std::memory_order_acquire);
    if (seen) {
        assert(seen->data == 1);
        delete seen;
    }
    maker.join();
    delete slot.load();
}
