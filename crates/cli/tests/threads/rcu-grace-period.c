/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* A writer replaces what readers see, and gives the old one back when no reader is inside. */
#include <stdlib.h>
static _Atomic(int *) current;
static atomic_int inside;

static void *reader(void *unused) {
    atomic_fetch_add(&inside, 1);
    int seen = *atomic_load(&current);
    assert(seen == 1 || seen == 2);
    atomic_fetch_sub(&inside, 1);
    return unused;
}

static void *writer(void *unused) {
    int *made = malloc(sizeof *made);
    *made = 2;
    int *old = atomic_exchange(&current, made);
    while (atomic_load(&inside)) {}
    free(old);
    return unused;
}

int main(void) {
    pthread_t first, second;
    int *made = malloc(sizeof *made);
    *made = 1;
    current = made;
    pthread_create(&first, NULL, reader, NULL);
    pthread_create(&second, NULL, writer, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(current);
}
