/* expect: violated assertion */
/* Two may be inside. */
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

int main() {
    std::counting_semaphore<2> places(2);
    std::atomic<int> inside = 0;
    auto visit = [&] {
        places.acquire();
        assert(++inside == 1);
        --inside;
        places.release();
    };
    std::thread first(visit), second(visit);
    first.join();
    second.join();
}
