/* expect: violated use-after-free */
/* A queue lock whose nodes are on the stacks of threads: who comes next still looks at the node of one that has ended. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    atomic_int is_locked;
};

static struct node first;
static _Atomic(struct node *) last = &first;
static int count;

static void *run(void *unused) {
    struct node mine;
    mine.is_locked = 1;
    struct node *before = atomic_exchange(&last, &mine);
    while (before->is_locked)
        ;
    count++;
    mine.is_locked = 0;
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == 2);
}
