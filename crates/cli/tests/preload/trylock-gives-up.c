/* expect: inconclusive */
/* The loop counts its rounds in memory that is not seen, and ends: it must not be taken for one that waits. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static void *keep(void *unused) {
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, keep, 0);
    pthread_join(thread, 0);
    while (pthread_mutex_trylock(&mutex) != 0)
        if (++rounds == 20)
            return 0;
    return 0;
}
