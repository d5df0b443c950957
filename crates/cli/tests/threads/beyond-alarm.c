/* expect: inconclusive */
/* Sleeping takes no time here, so the alarm never comes. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void rings(int unused) {
    (void)unused;
    abort();
}

int main(void) {
    signal(SIGALRM, rings);
    alarm(1);
    sleep(2);
    return 0;
}
