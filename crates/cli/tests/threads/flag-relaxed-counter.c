/* expect: holds under sequential-consistency, executions 6 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Three relaxed additions in all their orders. */
static atomic_int count;

static void *add(void *unused) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(count == 3);
}
