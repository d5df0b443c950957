/* expect: violated deadlock */
#include <mutex>
#include <thread>

struct Account {
    std::mutex mutex;
    int money = 10;
};

static void transfer(Account &from, Account &to) {
    std::lock_guard<std::mutex> first(from.mutex);
    std::lock_guard<std::mutex> second(to.mutex);
    from.money--;
    to.money++;
}

int main() {
    Account a, b;
    std::thread other([&] { transfer(a, b); });
    transfer(b, a);
    other.join();
}
