/* expect: holds under sequential-consistency, executions 3 */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int x, y;
static int a, b;

static void *first(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void *second(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(a || b);
    return 0;
}
