/* expect: violated data-race */
#include <pthread.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *locked(void *unused) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *bare(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, locked, NULL);
    pthread_create(&t[1], NULL, bare, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
