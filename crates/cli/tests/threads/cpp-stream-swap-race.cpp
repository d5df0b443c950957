/* expect: violated data-race */
/* A stream for input and output is written as a whole. */
#include <sstream>
#include <thread>

static std::stringstream one, other;

int main() {
    std::thread swaps([] { one.swap(other); });
    other << 1;
    swaps.join();
}
