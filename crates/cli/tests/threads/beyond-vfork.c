/* expect: inconclusive */
/* A process that is no actor. */
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    if (vfork() == 0) _exit(0);
    wait(NULL);
    return 0;
}
