/* expect: holds */
/* A queue lock: each waits for the one before it (Craig; Landin and Hagersten). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct node { atomic_bool is_locked; };
static struct node nodes[3];
static _Atomic(struct node *) tail = &nodes[2];
static int counter;

static void *work(void *own) {
    struct node *mine = own;
    atomic_store(&mine->is_locked, true);
    struct node *before = atomic_exchange(&tail, mine);
    while (atomic_load(&before->is_locked))
        ;
    counter++;
    atomic_store(&mine->is_locked, false);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int at = 0; at < 2; at++)
        pthread_create(&threads[at], NULL, work, &nodes[at]);
    for (int at = 0; at < 2; at++)
        pthread_join(threads[at], NULL);
    assert(counter == 2);
}
