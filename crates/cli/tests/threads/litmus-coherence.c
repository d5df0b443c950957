/* expect: holds under sequential-consistency, executions 3 */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int x;

static void *writer(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused) {
    int first = atomic_load_explicit(&x, memory_order_relaxed);
    int second = atomic_load_explicit(&x, memory_order_relaxed);
    assert(first <= second);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
