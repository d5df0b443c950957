/* expect: violated deadlock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define SEATS 3
static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *eat(void *number) {
    int seat = (int)(ptrdiff_t)number;
    pthread_mutex_lock(&forks[seat]);
    pthread_mutex_lock(&forks[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&forks[(seat + 1) % SEATS]);
    pthread_mutex_unlock(&forks[seat]);
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    for (ptrdiff_t i = 0; i < SEATS; i++) pthread_create(&threads[i], NULL, eat, (void *)i);
    for (int i = 0; i < SEATS; i++) pthread_join(threads[i], NULL);
}
