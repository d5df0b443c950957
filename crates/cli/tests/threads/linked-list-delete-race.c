/* expect: violated data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* A reader follows the list without a lock while a node is given back. */
#include <stdlib.h>
struct node {
    int key;
    struct node *next;
};
static _Atomic(struct node *) head;

static void *delete(void *unused) {
    struct node *old = atomic_load(&head);
    atomic_store(&head, old->next);
    free(old);
    return unused;
}

static void *read(void *unused) {
    struct node *at = atomic_load(&head);
    int sum = 0;
    if (at) sum = at->key;
    assert(sum >= 0);
    return unused;
}

int main(void) {
    pthread_t first, second;
    struct node *made = malloc(sizeof *made);
    made->key = 1;
    made->next = NULL;
    head = made;
    pthread_create(&first, NULL, delete, NULL);
    pthread_create(&second, NULL, read, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
