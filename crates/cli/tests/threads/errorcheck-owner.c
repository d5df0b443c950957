/* expect: holds */
/* An error-checking mutex tells its owner apart, whatever the others do. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock;
static int counter;

static void *work(void *unused) {
    if (pthread_mutex_unlock(&lock) == EPERM)
        pthread_mutex_lock(&lock);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    counter++;
    assert(pthread_mutex_unlock(&lock) == 0);
    return unused;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_t threads[2];
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &kind);
    pthread_mutexattr_destroy(&kind);
    for (int at = 0; at < 2; at++)
        pthread_create(&threads[at], NULL, work, NULL);
    for (int at = 0; at < 2; at++)
        pthread_join(threads[at], NULL);
    assert(counter == 2 && pthread_mutex_destroy(&lock) == 0);
}
