/* Three actors add to one shared variable ten times each and look at the result: no two
 * interleavings are equivalent. For measuring how many executions there are in a second. */
#include "mazurka.h"

static mazurka_variable x;

static void add(void *unused) {
    (void)unused;
    for (int i = 0; i < 10; i++)
        mazurka_fetch_add(x, 1);
}

int main(void) {
    x = mazurka_variable_create("x", 0);
    mazurka_spawn("second", add, NULL);
    mazurka_spawn("third", add, NULL);
    add(NULL);
    return 0;
}
