/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* A sorted list with a lock for each node. */
#include <stdlib.h>
struct node {
    int key;
    pthread_mutex_t lock;
    struct node *next;
};
static struct node tail = {99, PTHREAD_MUTEX_INITIALIZER, NULL}, head = {0, PTHREAD_MUTEX_INITIALIZER, &tail};

static void insert(int key) {
    struct node *made = malloc(sizeof *made), *before = &head;
    made->key = key;
    pthread_mutex_init(&made->lock, NULL);
    pthread_mutex_lock(&before->lock);
    struct node *at = before->next;
    pthread_mutex_lock(&at->lock);
    while (at->key < key) {
        pthread_mutex_unlock(&before->lock);
        before = at;
        at = at->next;
        pthread_mutex_lock(&at->lock);
    }
    made->next = at;
    before->next = made;
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
}

static void *work(void *number) {
    insert(1 + (int)(ptrdiff_t)number);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (ptrdiff_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(head.next->key == 1 && head.next->next->key == 2 && head.next->next->next == &tail);
    free(head.next->next);
    free(head.next);
}
