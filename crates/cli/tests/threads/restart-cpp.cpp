/* expect: holds; note: none */
/* Objects with destructors, exceptions, streams and locales are as new in every execution. */
#include <cassert>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

std::mutex guard;
std::map<int, std::string> table;

struct Counted {
    Counted() { assert(table.empty()); }
    ~Counted() { table[99] = "gone"; }
};
Counted counted;

static void work(int number) {
    static thread_local std::string own = "new";
    assert(own == "new");
    own += " and used, so much that it does not fit";
    try {
        throw std::runtime_error(std::to_string(number));
    } catch (const std::exception &error) {
        std::lock_guard hold(guard);
        table[number] = error.what();
    }
}

int main() {
    assert(table.empty() && std::cout.precision() == 6);
    std::cout.precision(3);
    std::thread first(work, 1), second(work, 2);
    first.join();
    second.join();
    std::ostringstream text;
    text << table.size();
    assert(text.str() == "2");
    std::cout << text.str() << std::endl;
}
