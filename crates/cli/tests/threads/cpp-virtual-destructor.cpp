/* expect: violated data-race */
// An object is destroyed while another thread calls a virtual function of it.
#include <thread>

struct Base {
    virtual ~Base() {}
    virtual int value() { return 1; }
};
struct Derived : Base {
    int value() override { return 2; }
};

int main() {
    Base *object = new Derived;
    std::thread other([=] { object->value(); });
    delete object;
    other.join();
}
