/* expect: violated deadlock */
/* The notification is given without the mutex, between the look and the wait. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int is_ready;

static void *work(void *unused) {
    atomic_store(&is_ready, 1);
    pthread_cond_signal(&ready);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!atomic_load(&is_ready))
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}
