/* expect: holds; options: --spurious */
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>

static atomic_int value;

static void *run(void *unused) {
    int expected = atomic_load(&value);
    while (!atomic_compare_exchange_weak(&value, &expected, expected + 1))
        ;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, NULL);
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
    assert(atomic_load(&value) == 2);
}
