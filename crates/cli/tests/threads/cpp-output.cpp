/* expect: holds, executions 1; note: none */
/* Standard output is for all threads; a stream in memory is for whoever has it. */
#include <iostream>
#include <sstream>
#include <thread>

static void run(int number) {
    std::ostringstream text;
    text << number << " says hello";
    std::cout << text.str() << std::endl;
}

int main() {
    std::thread one(run, 1), two(run, 2);
    one.join();
    two.join();
}
