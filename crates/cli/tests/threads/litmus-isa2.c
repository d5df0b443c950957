/* expect: holds under sequential-consistency */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Message passing through a third thread, by release and acquire. */
static atomic_int y, z;
static int x;

static void *first(void *unused) {
    x = 1;
    atomic_store_explicit(&y, 1, memory_order_release);
    return unused;
}

static void *second(void *unused) {
    if (atomic_load_explicit(&y, memory_order_acquire)) atomic_store_explicit(&z, 1, memory_order_release);
    return unused;
}

static void *third(void *unused) {
    if (atomic_load_explicit(&z, memory_order_acquire)) assert(x == 1);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
