/* expect: inconclusive; options: --races ignore */
/* Two atomics in one word, and plain accesses to both. The second race shows only where the first one has had an effect. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_int first, second;
} both __attribute__((aligned(8)));

static void *reads(void *unused) {
    if (*(int *)&both.first == 2)
        assert(*(int *)&both.second != 0);
    return unused;
}

static void *writes(void *unused) {
    atomic_store_explicit(&both.first, 2, memory_order_relaxed);
    atomic_store_explicit(&both.second, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, reads, NULL);
    pthread_create(&other, NULL, writes, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
