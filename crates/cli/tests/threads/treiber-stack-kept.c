/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Nodes are never given back, so there is no ABA. */
struct node {
    int value;
    struct node *next;
};
static _Atomic(struct node *) top;
static struct node nodes[2] = {{1, NULL}, {2, NULL}};

static void push(struct node *node) {
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &node->next, node)) {}
}

static struct node *pop(void) {
    struct node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next)) {}
    return old;
}

static void *work(void *number) {
    push(&nodes[(ptrdiff_t)number]);
    struct node *mine = pop();
    assert(mine);
    return mine;
}

int main(void) {
    pthread_t threads[2];
    void *taken[2];
    for (ptrdiff_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], &taken[i]);
    assert(taken[0] != taken[1] && !top);
}
