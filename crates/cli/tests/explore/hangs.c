/* Never comes to its next operation, if the other actor was first. */
#include "mazurka.h"

static mazurka_variable x;

static void other(void *unused) {
    (void)unused;
    mazurka_write(x, 1);
}

int main(void) {
    x = mazurka_variable_create("x", 0);
    mazurka_spawn("other", other, NULL);
    volatile int64_t seen = mazurka_read(x);
    while (seen)
        ;
    return 0;
}
