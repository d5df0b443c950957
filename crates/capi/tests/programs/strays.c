/* Forks children of its own that outlive it; one hides in a session of its own, one uses the
 * library. */
#include <unistd.h>
#include "mazurka.h"

static mazurka_variable x;

static void other(void *unused) {
    (void)unused;
    mazurka_fetch_add(x, 1);
}

int main(void) {
    x = mazurka_variable_create("x", 0);
    mazurka_spawn("other", other, NULL);
    if (fork() == 0) {
        setsid();
        sleep(1000);
    }
    if (fork() == 0) {
        mazurka_fetch_add(x, 1);
        sleep(1000);
    }
    mazurka_fetch_add(x, 1);
    return 0;
}
