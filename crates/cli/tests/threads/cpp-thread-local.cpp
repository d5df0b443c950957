/* expect: holds */
#include <thread>
#include <mutex>
#include <cassert>

static std::mutex lock;
static int destroyed;

struct Own {
    int value = 1;
    ~Own() {
        std::lock_guard<std::mutex> guard(lock);
        destroyed += value;
    }
};

static thread_local Own own;

int main() {
    auto run = [] { own.value++; };
    std::thread first(run), second(run);
    first.join();
    second.join();
    assert(destroyed == 4);
}
