/* expect: violated deadlock */
/* The flag is looked at before the lock is held. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
    if (!ready) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *setter(void *unused) {
    ready = 1;
    pthread_mutex_lock(&lock);
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
