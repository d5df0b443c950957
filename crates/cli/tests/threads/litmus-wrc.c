/* expect: violated data-race */
/* Write to read causality, where the second link is relaxed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int first, second;

static void *write(void *unused) {
    data = 1;
    atomic_store_explicit(&first, 1, memory_order_release);
    return unused;
}

static void *pass(void *unused) {
    if (atomic_load_explicit(&first, memory_order_acquire))
        atomic_store_explicit(&second, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, write, NULL);
    pthread_create(&threads[1], NULL, pass, NULL);
    if (atomic_load_explicit(&second, memory_order_acquire))
        assert(data == 1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}
