/* expect: violated data-race */
/* A function of the library writes what its argument refers to. */
#include <sstream>
#include <thread>

static int number;

int main() {
    std::thread reads([] {
        std::istringstream text("42");
        text >> number;
    });
    int seen = number;
    reads.join();
    return seen == 7;
}
