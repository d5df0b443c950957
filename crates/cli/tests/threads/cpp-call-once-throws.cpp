/* expect: holds */
// What throws was not done: another thread does it.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag flag;
int tries, done;

void attempt() {
    try {
        std::call_once(flag, [] {
            if (tries++ == 0)
                throw std::runtime_error("not yet");
            done++;
        });
    } catch (const std::runtime_error &) {
    }
}

int main() {
    std::thread first(attempt), second(attempt);
    first.join();
    second.join();
    assert(tries == 2 && done == 1);
}
