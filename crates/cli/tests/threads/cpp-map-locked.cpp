/* expect: holds, executions 6 */
/* Three threads use a map in turn. */
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::map<std::string, int> map;
static std::mutex lock;

static void run(int number) {
    std::lock_guard guard(lock);
    map[std::to_string(number)] = number;
}

int main() {
    std::thread one(run, 1), two(run, 2), three(run, 3);
    one.join();
    two.join();
    three.join();
    assert(map.size() == 3 && map["2"] == 2);
}
