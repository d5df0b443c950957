/* Writes a gigabyte to standard output and to standard error. */
#include <unistd.h>
#include "mazurka.h"

static char block[1 << 20];

static void other(void *unused) {
    (void)unused;
    for (int i = 0; i < 1024; i++)
        if (write(1, block, sizeof block) < 0 || write(2, block, sizeof block) < 0)
            return;
    mazurka_yield();
}

int main(void) {
    mazurka_spawn("other", other, NULL);
    other(NULL);
    return 0;
}
