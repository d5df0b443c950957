/* expect: holds */
/* A wait by the monotonic clock ends by a notification or by time. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready;
static int is_ready;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_cond_broadcast(&ready);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_condattr_t clock;
    pthread_t thread;
    struct timespec until;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&ready, &clock);
    pthread_create(&thread, NULL, work, NULL);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    pthread_mutex_lock(&lock);
    int result = 0;
    while (!is_ready && result == 0)
        result = pthread_cond_timedwait(&ready, &lock, &until);
    assert(is_ready || result == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&ready);
}
