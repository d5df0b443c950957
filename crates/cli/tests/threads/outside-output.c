/* expect: holds, executions 1; note: none */
/* Nobody in the program sees in which order it writes to standard output. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *run(void *name) {
    printf("%s %d\n", (char *)name, 1);
    puts("done");
    fprintf(stderr, "%s\n", (char *)name);
    if (write(1, "x\n", 2) != 2)
        return name;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, run, "one");
    pthread_create(&two, NULL, run, "two");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
