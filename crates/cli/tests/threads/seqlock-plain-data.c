/* expect: violated data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* What a seqlock guards is read while it is written: in C11 that is a race unless the data are atomic. */
static atomic_uint sequence;
static int low, high;

static void *writer(void *unused) {
    atomic_fetch_add(&sequence, 1);
    low = 1;
    high = 1;
    atomic_fetch_add(&sequence, 1);
    return unused;
}

static void *reader(void *unused) {
    unsigned before, after;
    int a, b;
    do {
        before = atomic_load(&sequence);
        a = low;
        b = high;
        after = atomic_load(&sequence);
    } while (before != after || before & 1);
    assert(a == b);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
