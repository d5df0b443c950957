/* expect: violated data-race */
/* One thread puts something into a map in which the other looks. */
#include <map>
#include <thread>

static std::map<int, int> map;

int main() {
    map[1] = 1;
    std::thread one([] { map[2] = 2; });
    bool found = map.find(1) != map.end();
    one.join();
    return !found;
}
