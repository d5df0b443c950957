/* expect: violated data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* What a compare-and-swap expects is plain memory, here of both threads, and what was found is
 * written there. */
static atomic_int x = 1;
static int expected;

static void *work(void *unused) {
    atomic_compare_exchange_strong(&x, &expected, 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
