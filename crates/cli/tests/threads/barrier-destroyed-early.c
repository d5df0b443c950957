/* expect: violated data-race */
/* A barrier is destroyed while somebody waits at it. */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *run(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&one, NULL, run, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
