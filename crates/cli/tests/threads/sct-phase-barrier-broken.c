/* expect: violated deadlock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* The count is set back by the last one to arrive, but the others wait for the count. */
#define THREADS 2
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int arrived;

static void arrive(void) {
    pthread_mutex_lock(&lock);
    if (++arrived == THREADS) {
        arrived = 0;
        pthread_cond_broadcast(&all);
    }
    while (arrived != 0 && arrived < THREADS) pthread_cond_wait(&all, &lock);
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
    arrive();
    arrive();
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}
