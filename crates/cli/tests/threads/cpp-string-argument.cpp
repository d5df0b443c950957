/* expect: violated data-race */
/* One thread appends a string that the other changes: the argument is read. */
#include <string>
#include <thread>

static std::string given = "abc", text;

int main() {
    std::thread one([] { text += given; });
    std::thread two([] { given[0] = 'x'; });
    one.join();
    two.join();
    return text.size() != 3;
}
