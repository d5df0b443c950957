/* expect: inconclusive; note: in a loop for memory; options: --divergence 300ms */
/* Main waits for memory, and what it looks at is not seen: the other thread never gets to run. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *set(void *unused) {
    pthread_mutex_lock(&mutex);
    atomic_store(&flag, 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    while (!atomic_load(&flag))
        ;
    pthread_join(thread, 0);
    return 0;
}
