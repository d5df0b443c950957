/* expect: violated data-race */
/* Two threads write to one stream in memory. */
#include <sstream>
#include <thread>

static std::ostringstream text;

static void run(int number) {
    text << number;
}

int main() {
    std::thread one(run, 1), two(run, 2);
    one.join();
    two.join();
}
