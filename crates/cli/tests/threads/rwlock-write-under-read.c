/* expect: violated data-race */
#include <pthread.h>

static int value;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *run(void *unused) {
    pthread_rwlock_rdlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
