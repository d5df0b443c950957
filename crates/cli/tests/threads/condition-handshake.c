/* expect: holds, executions 2 */
#include <pthread.h>

static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *setter(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
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
