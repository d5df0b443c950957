/* One of two actors dies if it comes second, in the way the argument says; main waits for it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "mazurka.h"

static mazurka_variable x;
static const char *how;

static void other(void *unused) {
    (void)unused;
    if (mazurka_fetch_add(x, 1) == 0)
        return;
    if (strcmp(how, "signal") == 0)
        *(volatile int *)(uintptr_t)x.id = 1;
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "exit") == 0)
        exit(7);
    if (strcmp(how, "_exit") == 0)
        _exit(7);
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
}

int main(int argc, char **argv) {
    how = argc > 1 ? argv[1] : "signal";
    x = mazurka_variable_create("x", 0);
    int actor = mazurka_spawn("other", other, NULL);
    mazurka_fetch_add(x, 1);
    mazurka_join(actor);
    return 0;
}
