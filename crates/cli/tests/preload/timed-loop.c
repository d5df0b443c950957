/* expect: inconclusive; options: --executions 200 */
/* A wait that ends again and again, because time is over. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int flag;

static void *set(void *unused) {
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec limit = {0, 0};
    pthread_create(&thread, 0, set, 0);
    pthread_mutex_lock(&mutex);
    while (!flag)
        pthread_cond_timedwait(&ready, &mutex, &limit);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
