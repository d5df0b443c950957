/* expect: holds under sequential-consistency */
/* A ring of two places with one producer and one consumer. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int ring[2];
static atomic_uint head, tail;

static void *produce(void *unused) {
    for (unsigned i = 0; i < 3; i++) {
        while (i - atomic_load_explicit(&head, memory_order_acquire) == 2)
            ;
        ring[i % 2] = (int)i + 1;
        atomic_store_explicit(&tail, i + 1, memory_order_release);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, produce, 0);
    for (unsigned i = 0; i < 3; i++) {
        while (atomic_load_explicit(&tail, memory_order_acquire) == i)
            ;
        assert(ring[i % 2] == (int)i + 1);
        atomic_store_explicit(&head, i + 1, memory_order_release);
    }
    pthread_join(thread, 0);
    return 0;
}
