/* expect: violated data-race */
// The result of a task is not waited for before what it writes is read.
#include <future>

int main() {
    int shared = 0;
    auto task = std::async(std::launch::async, [&] { shared = 1; });
    int seen = shared;
    task.get();
    return seen > 1;
}
