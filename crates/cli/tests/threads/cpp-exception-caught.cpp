/* expect: holds */
#include <thread>
#include <mutex>
#include <cassert>
#include <stdexcept>

static std::mutex lock;
static int caught;

static void fail() {
    std::lock_guard<std::mutex> guard(lock);
    throw std::runtime_error("as it should");
}

int main() {
    auto run = [] {
        try {
            fail();
        } catch (const std::exception &) {
            std::lock_guard<std::mutex> guard(lock);
            caught++;
        }
    };
    std::thread first(run), second(run);
    first.join();
    second.join();
    assert(caught == 2);
}
