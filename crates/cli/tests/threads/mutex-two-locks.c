/* expect: violated data-race */
/* Each holds a lock, but not the same. */
#include <pthread.h>

static int counter;
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *run(void *number) {
    pthread_mutex_lock(&lock[(long)number]);
    counter++;
    pthread_mutex_unlock(&lock[(long)number]);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
