/* expect: holds */
// Who sleeps until a time sleeps once.
#include <chrono>
#include <thread>

int counter;

int main() {
    std::thread thread([] { counter++; });
    std::this_thread::sleep_until(std::chrono::steady_clock::now() + std::chrono::hours(3));
    thread.join();
}
