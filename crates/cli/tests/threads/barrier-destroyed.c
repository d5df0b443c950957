/* expect: holds */
/* To destroy a barrier waits until all have left it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *run(void *unused) {
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(barrier);
        free(barrier);
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
