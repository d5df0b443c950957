/* Does something that is not under control, as its argument says, and performs an operation. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mazurka.h"

static mazurka_variable x;

static void *nothing(void *unused) {
    return unused;
}

int main(int count, char **arguments) {
    const char *how = count > 1 ? arguments[1] : "";
    x = mazurka_variable_create("x", 0);
    if (!strcmp(how, "thread")) {
        pthread_t thread;
        pthread_create(&thread, NULL, nothing, NULL);
        pthread_join(thread, NULL);
    }
    if (!strcmp(how, "fork")) {
        pid_t child = fork();
        if (child == 0) {
            mazurka_write(x, 1);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
    if (!strcmp(how, "program") && system("true") != 0)
        return 1;
    if (!strcmp(how, "memory"))
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!strcmp(how, "pipe")) {
        int ends[2];
        char byte;
        if (pipe(ends) != 0 || read(ends[0], &byte, 1) != 1)
            return 1;
    }
    while (!strcmp(how, "loop"))
        ;
    mazurka_write(x, 2);
    return 0;
}
