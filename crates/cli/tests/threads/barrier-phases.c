/* expect: holds */
#include <pthread.h>
#include <assert.h>

static pthread_barrier_t barrier;
static int value[2];

static void *run(void *number) {
    long i = (long)number;
    value[i] = 1;
    pthread_barrier_wait(&barrier);
    assert(value[1 - i] == 1);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
