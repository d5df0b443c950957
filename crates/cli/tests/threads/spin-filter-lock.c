/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Peterson's lock for three threads: a loop waits for the levels of the two others and for the victim. */
#define N 3
static atomic_int level[N], victim[N];
static int inside;

static int another_at(int me, int l) {
    for (int k = 0; k < N; k++)
        if (k != me && atomic_load(&level[k]) >= l) return 1;
    return 0;
}

static void *work(void *number) {
    int me = (int)(ptrdiff_t)number;
    for (int l = 1; l < N; l++) {
        atomic_store(&level[me], l);
        atomic_store(&victim[l], me);
        while (another_at(me, l) && atomic_load(&victim[l]) == me) {}
    }
    inside++;
    atomic_store(&level[me], 0);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    /* Two of the three come. */
    for (ptrdiff_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(inside == 2);
}
