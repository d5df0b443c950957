/* expect: violated data-race */
// Two threads assign one pointer with a count, which is not protected.
#include <memory>
#include <thread>

int main() {
    std::shared_ptr<int> shared = std::make_shared<int>(1);
    std::thread other([&] { shared = std::make_shared<int>(2); });
    std::shared_ptr<int> own = shared;
    other.join();
    return *own > 2;
}
