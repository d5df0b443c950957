/* expect: holds, executions 1; note: none */
/* The environment is only read. */
#include <pthread.h>
#include <stdlib.h>

static void *reads(void *unused) {
    return getenv("HOME") ? unused : NULL;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, reads, NULL);
    getenv("HOME");
    pthread_join(one, NULL);
    return 0;
}
