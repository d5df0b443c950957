/* expect: holds under sequential-consistency */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void *run(void *unused) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
    counter++;
    atomic_flag_clear_explicit(&lock, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter == 2);
    return 0;
}
