/* expect: holds */
/* When a time limit has run out, the clock is past it; when a thread has slept, the clock has gone on as long. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *make_ready(void *unused) {
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, make_ready, NULL);
    struct timespec limit = {now() + 60, 0};
    pthread_mutex_lock(&mutex);
    int error = 0;
    while (!is_ready && error == 0) error = pthread_cond_timedwait(&changed, &mutex, &limit);
    pthread_mutex_unlock(&mutex);
    if (error == ETIMEDOUT) assert(now() >= limit.tv_sec);
    long before = now();
    nanosleep(&(struct timespec){5, 0}, NULL);
    assert(now() >= before + 5);
    pthread_join(thread, NULL);
    return 0;
}
