/* expect: holds under sequential-consistency; options: --races ignore */
/* Two variables in one word: a step of one leaves the other alone. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_int flag;
    int data;
} both __attribute__((aligned(8)));

static void *writes(void *unused) {
    both.data = 42;
    atomic_store_explicit(&both.flag, 1, memory_order_relaxed);
    return unused;
}

static void *reads(void *unused) {
    if (atomic_load_explicit(&both.flag, memory_order_relaxed))
        assert(both.data == 42);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, writes, NULL);
    pthread_create(&second, NULL, reads, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(both.data == 42);
}
