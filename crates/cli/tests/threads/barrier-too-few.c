/* expect: violated deadlock */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *run(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
