/* expect: inconclusive */
/* Two atomic operations that share bytes, and neither address nor size: nobody looks for the other order. */
#include <pthread.h>
#include <stdatomic.h>

static union {
    _Atomic long whole;
    _Atomic int halves[2];
} both;

static void *writer(void *unused) {
    atomic_store(&both.halves[1], 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    long seen = atomic_load(&both.whole);
    pthread_join(thread, 0);
    return seen == 42;
}
