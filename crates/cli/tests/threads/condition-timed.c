/* expect: holds */
#include <pthread.h>
#include <time.h>

static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    pthread_mutex_lock(&lock);
    if (!ready)
        pthread_cond_timedwait(&changed, &lock, &limit);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *setter(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&changed);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, setter, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
