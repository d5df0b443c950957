// Exceptions pass through functions that clean up, in an actor as anywhere.
#include "mazurka.h"
#include <stdexcept>
#include <string>

static int cleaned = 0;

struct Guard {
    ~Guard() { cleaned++; }
};

static void descend(int depth) {
    Guard guard;
    if (depth == 0)
        throw std::runtime_error("the bottom of " + std::to_string(3));
    descend(depth - 1);
}

static void actor(void *) {
    try {
        descend(3);
    } catch (const std::exception &error) {
        mazurka_assert(error.what() == std::string("the bottom of 3"));
        mazurka_assert(cleaned == 4);
    }
    mazurka_yield();
    throw 1;
}

int main() {
    mazurka_spawn("thrower", actor, nullptr);
    mazurka_yield();
}
