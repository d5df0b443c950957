/* expect: violated data-race */
// An iterator and a pair are passed by value; the vector grows meanwhile.
#include <thread>
#include <utility>
#include <vector>

static std::pair<int, int> twice(std::pair<int, int> given) { return {given.first * 2, given.second * 2}; }

int main() {
    std::vector<std::pair<int, int>> all{{1, 2}};
    all.reserve(4);
    std::thread other([&] { all[0] = twice(all[0]); });
    auto seen = twice(*all.begin());
    other.join();
    return seen.first > 4;
}
