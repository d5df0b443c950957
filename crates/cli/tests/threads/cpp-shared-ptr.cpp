/* expect: holds under sequential-consistency */
#include <thread>
#include <mutex>
#include <memory>

int main() {
    auto shared = std::make_shared<int>(7);
    std::thread first([shared] { (void)*shared; }), second([shared] { (void)*shared; });
    shared.reset();
    first.join();
    second.join();
}
