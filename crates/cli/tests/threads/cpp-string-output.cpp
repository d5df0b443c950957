/* expect: violated data-race */
/* One thread writes a string to a stream of its own while the other changes the string. */
#include <sstream>
#include <string>
#include <thread>

static std::string given = "abc";

int main() {
    std::thread one([] {
        std::ostringstream out;
        out << given;
    });
    std::thread two([] { given[0] = 'x'; });
    one.join();
    two.join();
}
