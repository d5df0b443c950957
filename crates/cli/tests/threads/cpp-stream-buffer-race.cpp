/* expect: violated data-race */
/* The same by the buffer of a stream. */
#include <sstream>
#include <thread>

static char letters[4];

int main() {
    std::thread reads([] {
        std::stringbuf text("abc");
        text.sgetn(letters, 3);
    });
    letters[1] = 1;
    reads.join();
}
