/* One of two actors goes into an endless loop if it comes second. */
#include "mazurka.h"

static mazurka_variable x;

static void other(void *unused) {
    (void)unused;
    if (mazurka_fetch_add(x, 1) == 1)
        for (;;) {
        }
}

int main(void) {
    x = mazurka_variable_create("x", 0);
    mazurka_spawn("other", other, NULL);
    mazurka_fetch_add(x, 1);
    return 0;
}
