/* expect: holds */
/* Strings are read by both threads, and written under a lock. */
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

static const std::string name = "a string that does not fit into its own object";
static std::vector<std::string> lines;
static std::mutex lock;

static void run(int number) {
    std::ostringstream line;
    line << name << ' ' << number;
    std::lock_guard<std::mutex> guard(lock);
    lines.push_back(line.str());
    std::cout << lines.back() << std::endl;
}

int main() {
    std::thread one(run, 1), two(run, 2);
    one.join();
    two.join();
    return lines.size() != 2;
}
