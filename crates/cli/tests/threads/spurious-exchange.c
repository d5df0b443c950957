/* expect: violated assertion; options: --spurious */
/* A weak compare-and-swap outside a loop may fail although the value is the expected one. */
#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>

static atomic_int value;

static void *run(void *unused) {
    int expected = 0;
    assert(atomic_compare_exchange_weak(&value, &expected, 1));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
}
