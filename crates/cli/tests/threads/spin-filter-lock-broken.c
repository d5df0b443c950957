/* expect: violated data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* The victim is named before the level is taken: both may enter. */
#define N 2
static atomic_int level[N], victim;
static int inside;

static void *work(void *number) {
    int me = (int)(ptrdiff_t)number;
    atomic_store(&victim, me);
    atomic_store(&level[me], 1);
    while (atomic_load(&level[1 - me]) && atomic_load(&victim) == me) {}
    inside++;
    atomic_store(&level[me], 0);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (ptrdiff_t i = 0; i < N; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
    assert(inside == N);
}
