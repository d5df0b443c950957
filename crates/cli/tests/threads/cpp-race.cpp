/* expect: violated data-race */
#include <thread>
#include <mutex>
#include <vector>

int main() {
    std::vector<int> numbers;
    std::thread first([&] { numbers.push_back(1); }), second([&] { numbers.push_back(2); });
    first.join();
    second.join();
}
