/* Closes every descriptor. */
#include <unistd.h>
#include "mazurka.h"

static mazurka_variable x;

static void other(void *unused) {
    (void)unused;
    mazurka_fetch_add(x, 1);
}

int main(void) {
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    x = mazurka_variable_create("x", 0);
    mazurka_spawn("other", other, NULL);
    mazurka_fetch_add(x, 1);
    return 0;
}
