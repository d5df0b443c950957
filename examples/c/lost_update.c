/* Two actors each add one to a shared variable, by reading it and then writing it. In some
 * interleavings one of the additions is lost. */
#include "mazurka.h"

static mazurka_variable x;

static void increment(void *unused) {
    (void)unused;
    int64_t seen = mazurka_read(x);
    mazurka_write(x, seen + 1);
}

int main(void) {
    x = mazurka_variable_create("x", 0);
    int first = mazurka_spawn("first", increment, NULL);
    int second = mazurka_spawn("second", increment, NULL);
    mazurka_join(first);
    mazurka_join(second);
    mazurka_assert(mazurka_read(x) == 2);
    return 0;
}
