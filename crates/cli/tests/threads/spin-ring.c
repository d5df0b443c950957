/* expect: holds under sequential-consistency */
/* A ring for one producer and one consumer, who try again and again. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SIZE = 2, COUNT = 3 };
static int ring[SIZE];
static atomic_uint head, tail;

static bool put(int value) {
    unsigned end = atomic_load_explicit(&tail, memory_order_relaxed);
    unsigned start = atomic_load_explicit(&head, memory_order_acquire);
    if (end - start == SIZE)
        return false;
    ring[end % SIZE] = value;
    atomic_store_explicit(&tail, end + 1, memory_order_release);
    return true;
}

static bool get(int *value) {
    unsigned start = atomic_load_explicit(&head, memory_order_relaxed);
    unsigned end = atomic_load_explicit(&tail, memory_order_acquire);
    if (end == start)
        return false;
    *value = ring[start % SIZE];
    atomic_store_explicit(&head, start + 1, memory_order_release);
    return true;
}

static void *produce(void *unused) {
    for (int value = 0; value < COUNT; value++)
        while (!put(value))
            ;
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (int expected = 0; expected < COUNT; expected++) {
        int value;
        while (!get(&value))
            ;
        assert(value == expected);
    }
    pthread_join(producer, NULL);
}
