/* expect: violated data-race */
/* One uses the variable by an atomic_ref, the other does not. */
#include <atomic>
#include <thread>

int main() {
    int value = 0;
    std::thread thread([&] { std::atomic_ref<int>(value)++; });
    value++;
    thread.join();
    return value != 2;
}
