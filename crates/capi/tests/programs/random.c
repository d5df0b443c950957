/* Does not repeat itself: looks at the clock. */
#include <time.h>
#include "mazurka.h"

static mazurka_variable x;

static void other(void *unused) {
    (void)unused;
    mazurka_fetch_add(x, 1);
}

int main(void) {
    struct timespec now;
    x = mazurka_variable_create("x", 0);
    mazurka_spawn("other", other, NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
    int last = (int)(now.tv_nsec / 1000 % 5);
    for (int i = 0; i < last; i++)
        mazurka_yield();
    mazurka_fetch_add(x, 1);
    return 0;
}
