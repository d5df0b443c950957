/* expect: violated deadlock */
#include <atomic>
#include <thread>

int main() {
    std::atomic<int> state = 0;
    std::thread thread([&] { state.store(1); });
    state.wait(0);
    thread.join();
}
