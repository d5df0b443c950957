/* expect: violated assertion */
/* A stack without locks, whose nodes are used again: the one that is popped may be another one by then. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *_Atomic next;
    atomic_int taken;
};

static struct node nodes[2];
static struct node *_Atomic top;

static struct node *pop(void) {
    for (;;) {
        struct node *seen = top;
        if (!seen)
            return NULL;
        struct node *next = seen->next;
        if (atomic_compare_exchange_strong(&top, &seen, next))
            return seen;
    }
}

static void push(struct node *node) {
    struct node *seen = top;
    do
        node->next = seen;
    while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static void *one(void *unused) {
    struct node *mine = pop();
    if (mine)
        assert(atomic_exchange(&mine->taken, 1) == 0);
    return unused;
}

static void *other(void *unused) {
    struct node *first = pop(), *second = pop();
    if (second)
        assert(atomic_exchange(&second->taken, 1) == 0);
    if (first)
        push(first);
    return unused;
}

int main(void) {
    pthread_t a, b;
    push(&nodes[0]);
    push(&nodes[1]);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct node *left = pop();
    if (left)
        assert(left->taken == 0);
    return 0;
}
