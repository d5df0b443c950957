/* expect: holds under sequential-consistency */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int count;
    int value;
};

static struct shared *shared;

static void *run(void *unused) {
    int copy = shared->value;
    (void)copy;
    if (atomic_fetch_sub_explicit(&shared->count, 1, memory_order_acq_rel) == 1)
        free(shared);
    return unused;
}

int main(void) {
    pthread_t t[2];
    shared = malloc(sizeof *shared);
    shared->count = 2;
    shared->value = 7;
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
