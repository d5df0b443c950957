/* expect: holds */
// A thread's exception is kept and thrown again elsewhere.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
    std::exception_ptr kept;
    std::thread other([&] {
        try {
            throw std::logic_error("kept");
        } catch (...) {
            kept = std::current_exception();
        }
    });
    other.join();
    try {
        std::rethrow_exception(kept);
    } catch (const std::logic_error &error) {
        assert(std::string(error.what()) == "kept");
        return 0;
    }
    return 1;
}
