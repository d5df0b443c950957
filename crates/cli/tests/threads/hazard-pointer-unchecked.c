/* expect: violated data-race */
/* The same, but the reader does not look again. The writer gives the old block back only if nobody protects it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared, hazard;

static void *reader(void *unused) {
    int *seen = atomic_load(&shared);
    atomic_store(&hazard, seen);
    if (seen) {
        int value = *seen;
        assert(value == 1 || value == 2);
    }
    atomic_store(&hazard, (int *)0);
    return unused;
}

int main(void) {
    pthread_t thread;
    int *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    *first = 1;
    *second = 2;
    atomic_init(&shared, first);
    pthread_create(&thread, 0, reader, 0);
    atomic_store(&shared, second);
    if (atomic_load(&hazard) != first)
        free(first);
    pthread_join(thread, 0);
    return 0;
}
