/* Does what no program should, as its argument says. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mazurka.h"

static void other(void *unused) {
    (void)unused;
    mazurka_yield();
}

/* Writes nonsense over the memory that it shares with the explorer. */
static void scribble(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long start, end;
        if (strstr(line, "memfd:mazurka") && sscanf(line, "%lx-%lx", &start, &end) == 2)
            memset((void *)start, 0xa5, end - start);
    }
}

int main(int count, char **arguments) {
    const char *how = count > 1 ? arguments[1] : "";
    mazurka_spawn("other", other, NULL);
    mazurka_yield();
    if (!strcmp(how, "parent"))
        kill(getppid(), SIGKILL);
    if (!strcmp(how, "group"))
        kill(0, SIGKILL);
    if (!strcmp(how, "stop"))
        raise(SIGSTOP);
    if (!strcmp(how, "deaf")) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        for (;;)
            ;
    }
    if (!strcmp(how, "exec"))
        execl("/bin/sleep", "sleep", "1000", (char *)NULL);
    if (!strcmp(how, "scribble"))
        scribble();
    if (!strcmp(how, "session")) {
        if (fork() == 0) {
            setsid();
            if (fork() == 0)
                for (;;)
                    pause();
            _exit(0);
        }
    }
    for (int i = 0; !strcmp(how, "actors") && i < 100; i++)
        mazurka_spawn(NULL, other, NULL);
    for (int i = 0; !strcmp(how, "objects") && i < 5000; i++)
        mazurka_variable_create(NULL, i);
    while (!strcmp(how, "endless"))
        mazurka_yield();
    mazurka_yield();
    return 0;
}
