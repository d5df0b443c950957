/* expect: holds; note: none */
/* Streams of one thread each, and one behind a lock. */
#include <cassert>
#include <iomanip>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex mutex;
static std::ostringstream together;

static void run(int number) {
    std::ostringstream out;
    out << std::hex << std::setw(4) << std::setfill('.') << number << ' ' << 1.5 << std::endl << "line" << true;
    std::istringstream in(out.str());
    std::string word, line;
    double fraction;
    in >> word >> fraction;
    std::getline(in, line);
    assert(word.size() == 4 && fraction == 1.5 && line.empty());
    std::lock_guard guard(mutex);
    together << number;
}

int main() {
    std::thread one(run, 1), other(run, 2);
    one.join();
    other.join();
    assert(together.str().size() == 2);
}
