/* expect: holds */
/* A thread calls exit while main returns. */
#include <pthread.h>
#include <stdlib.h>

static void *run(void *unused) {
    exit(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    return 0;
}
