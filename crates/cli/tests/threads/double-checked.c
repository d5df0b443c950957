/* expect: holds under sequential-consistency */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    int *seen = atomic_load_explicit(&instance, memory_order_acquire);
    if (!seen) {
        pthread_mutex_lock(&lock);
        seen = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!seen) {
            seen = malloc(sizeof *seen);
            *seen = 7;
            atomic_store_explicit(&instance, seen, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    int copy = *seen;
    (void)copy;
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
