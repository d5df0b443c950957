/* Does not repeat itself: it remembers in a file, its argument, how often it has run, and does
 * something else every other time. */
#include <fcntl.h>
#include <unistd.h>
#include "mazurka.h"

static mazurka_variable x, y;

static void other(void *unused) {
    (void)unused;
    mazurka_fetch_add(x, 1);
}

int main(int argc, char **argv) {
    int file = open(argv[argc - 1], O_RDWR | O_CREAT | O_APPEND, 0600);
    long runs = lseek(file, 0, SEEK_END);
    if (file < 0 || write(file, "x", 1) != 1)
        return 1;
    x = mazurka_variable_create("x", 0);
    y = mazurka_variable_create("y", 0);
    mazurka_spawn("other", other, NULL);
    mazurka_fetch_add(runs % 2 ? y : x, 1);
    return 0;
}
