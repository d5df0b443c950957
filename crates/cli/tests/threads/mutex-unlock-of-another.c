/* expect: violated runtime-error */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *thief(void *unused) {
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, holder, NULL);
    pthread_create(&t[1], NULL, thief, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
