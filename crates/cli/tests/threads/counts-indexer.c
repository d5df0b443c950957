/* expect: holds under sequential-consistency, executions 36 */
/* Three threads with two exchanges each, on two atomics: the orders of three exchanges on the one times those on the other, as each thread
 * exchanges the first before the second: 6 * 6. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *run(void *number) {
    atomic_exchange_explicit(&x, (int)(long)number, memory_order_relaxed);
    atomic_exchange_explicit(&y, (int)(long)number, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, run, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
