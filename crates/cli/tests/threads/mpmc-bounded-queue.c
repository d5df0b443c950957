/* expect: holds under sequential-consistency */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Vyukov's bounded queue with a sequence number in each cell. */
#define SIZE 2
static struct { atomic_uint sequence; int data; } cells[SIZE];
static atomic_uint tail, head;

static void push(int data) {
    unsigned at = atomic_load(&tail);
    for (;;) {
        int gap = (int)(atomic_load(&cells[at % SIZE].sequence) - at);
        if (gap == 0) {
            if (atomic_compare_exchange_strong(&tail, &at, at + 1)) break;
        } else {
            at = atomic_load(&tail);
        }
    }
    cells[at % SIZE].data = data;
    atomic_store_explicit(&cells[at % SIZE].sequence, at + 1, memory_order_release);
}

static int pop(int *data) {
    unsigned at = atomic_load(&head);
    for (;;) {
        int gap = (int)(atomic_load_explicit(&cells[at % SIZE].sequence, memory_order_acquire) - (at + 1));
        if (gap < 0) return 0;
        if (gap == 0 && atomic_compare_exchange_strong(&head, &at, at + 1)) break;
        at = atomic_load(&head);
    }
    *data = cells[at % SIZE].data;
    atomic_store_explicit(&cells[at % SIZE].sequence, at + SIZE, memory_order_release);
    return 1;
}

static void *produce(void *number) {
    push(1 + (int)(ptrdiff_t)number);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int sum = 0, data;
    for (unsigned i = 0; i < SIZE; i++) atomic_init(&cells[i].sequence, i);
    for (ptrdiff_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, produce, (void *)i);
    if (pop(&data)) sum += data;
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    while (pop(&data)) sum += data;
    assert(sum == 3);
}
