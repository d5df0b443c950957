/* expect: holds */
/* The owner pushes and pops at one end, a thief steals at the other: an item is had once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int items[4], bottom, top;
static atomic_int taken[3];

static void push(int item) {
    int at = atomic_load(&bottom);
    atomic_store(&items[at], item);
    atomic_store(&bottom, at + 1);
}

static int pop(void) {
    int at = atomic_load(&bottom) - 1;
    atomic_store(&bottom, at);
    int first = atomic_load(&top);
    if (first > at) {
        atomic_store(&bottom, first);
        return 0;
    }
    int item = atomic_load(&items[at]);
    if (first == at) {
        if (!atomic_compare_exchange_strong(&top, &first, first + 1))
            item = 0;
        atomic_store(&bottom, at + 1);
    }
    return item;
}

static int steal(void) {
    int first = atomic_load(&top), last = atomic_load(&bottom);
    if (first >= last)
        return 0;
    int item = atomic_load(&items[first]);
    return atomic_compare_exchange_strong(&top, &first, first + 1) ? item : 0;
}

static void *thief(void *unused) {
    atomic_fetch_add(&taken[steal()], 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    push(1);
    push(2);
    pthread_create(&thread, 0, thief, 0);
    atomic_fetch_add(&taken[pop()], 1);
    atomic_fetch_add(&taken[pop()], 1);
    pthread_join(thread, 0);
    assert(taken[1] == 1 && taken[2] == 1);
    return 0;
}
