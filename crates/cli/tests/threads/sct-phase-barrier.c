/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* A barrier of a mutex and a condition variable, used twice. */
#define THREADS 2
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int arrived, phase, data[THREADS];

static void arrive(void) {
    pthread_mutex_lock(&lock);
    int mine = phase;
    if (++arrived == THREADS) {
        arrived = 0;
        phase++;
        pthread_cond_broadcast(&all);
    }
    while (phase == mine) pthread_cond_wait(&all, &lock);
    pthread_mutex_unlock(&lock);
}

static void *work(void *number) {
    int me = (int)(ptrdiff_t)number;
    data[me] = 1;
    arrive();
    assert(data[1 - me] == 1);
    arrive();
    data[me] = 2;
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (ptrdiff_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}
