/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* A read-write lock of one word: readers count up, a writer takes -1. */
static atomic_int lock;
static int data;

static void *reader(void *unused) {
    for (;;) {
        int seen = lock;
        if (seen >= 0 && atomic_compare_exchange_strong(&lock, &seen, seen + 1)) break;
    }
    int first = data, second = data;
    assert(first == second);
    atomic_fetch_sub(&lock, 1);
    return unused;
}

static void *writer(void *unused) {
    for (;;) {
        int expected = 0;
        if (atomic_compare_exchange_strong(&lock, &expected, -1)) break;
    }
    data++;
    atomic_store(&lock, 0);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(data == 1 && lock == 0);
}
