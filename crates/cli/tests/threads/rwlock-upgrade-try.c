/* expect: holds */
/* A reader tries to become a writer, and gives up its lock if it cannot. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *work(void *unused) {
    pthread_rwlock_rdlock(&lock);
    int seen = value;
    /* As a reader itself, it never gets it. */
    assert(pthread_rwlock_trywrlock(&lock) != 0);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    assert(value >= seen);
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int at = 0; at < 2; at++)
        pthread_create(&threads[at], NULL, work, NULL);
    for (int at = 0; at < 2; at++)
        pthread_join(threads[at], NULL);
    assert(value == 2);
}
