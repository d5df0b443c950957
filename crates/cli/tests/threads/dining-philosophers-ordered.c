/* expect: holds, executions 6 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Three forks in a row, taken in order: who takes which first, for each of three forks two share. */
#define SEATS 3
static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *eat(void *number) {
    int left = (int)(ptrdiff_t)number, right = (left + 1) % SEATS;
    int low = left < right ? left : right, high = left < right ? right : left;
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    for (ptrdiff_t i = 0; i < SEATS; i++) pthread_create(&threads[i], NULL, eat, (void *)i);
    for (int i = 0; i < SEATS; i++) pthread_join(threads[i], NULL);
}
