/* expect: holds, executions 2 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* A read, where nothing is written: each expects a value of its own, and finds it. */
static atomic_int x;
static int zero;

static void *first(void *unused) {
    atomic_compare_exchange_strong(&x, &zero, 0);
    return unused;
}

static void *second(void *unused) {
    int own = 0;
    atomic_compare_exchange_strong(&x, &own, 0);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(zero == 0);
}
