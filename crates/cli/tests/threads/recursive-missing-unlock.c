/* expect: violated deadlock */
/* A recursive mutex is unlocked once less than it was locked. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void inner(void) { pthread_mutex_lock(&lock); }

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    inner();
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_t threads[2];
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    for (int at = 0; at < 2; at++)
        pthread_create(&threads[at], NULL, work, NULL);
    for (int at = 0; at < 2; at++)
        pthread_join(threads[at], NULL);
}
