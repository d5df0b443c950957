/* expect: violated data-race */
/* A function of the library writes where its argument points to, as much as the next one says. */
#include <sstream>
#include <thread>

static char line[8];

int main() {
    std::thread reads([] {
        std::istringstream text("42");
        text.getline(line, sizeof line);
    });
    line[0] = 1;
    reads.join();
}
