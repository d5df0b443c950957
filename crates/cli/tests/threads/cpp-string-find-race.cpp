/* expect: violated data-race */
/* Looking for a character looks at all before it. */
#include <string>
#include <thread>

static std::string text = "hello";

int main() {
    std::thread other([] { text[3] = 'x'; });
    auto found = text.find('o');
    other.join();
    return found != 4;
}
