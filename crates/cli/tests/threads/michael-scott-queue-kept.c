/* expect: holds */
/* The queue of Michael and Scott, whose nodes are never given back. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};
static _Atomic(struct node *) head, tail;

static struct node *make(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, 0);
    return node;
}

static void put(int value) {
    struct node *node = make(value);
    for (;;) {
        struct node *last = atomic_load(&tail), *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

static int take(void) {
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail), *next = atomic_load(&first->next);
        if (!next)
            return -1;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next)) {
            return value;
        }
    }
}

static void *taker(void *unused) {
    take();
    return unused;
}

int main(void) {
    pthread_t one, two;
    struct node *dummy = make(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    put(1);
    pthread_create(&one, 0, taker, 0);
    pthread_create(&two, 0, taker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
