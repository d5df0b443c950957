/* expect: violated livelock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Szymanski's mutual exclusion for two threads. The last test reads the flag twice, and it changes in between: who waits for the
 * other to be inside may wait for ever. */
static atomic_int flag[2];
static int inside;

static void *work(void *number) {
    int me = (int)(ptrdiff_t)number, other = 1 - me;
    flag[me] = 1;
    while (flag[other] >= 3) {}
    flag[me] = 3;
    if (flag[other] == 1) {
        flag[me] = 2;
        while (flag[other] != 4) {}
    }
    flag[me] = 4;
    if (me == 1)
        while (flag[0] >= 2) {}
    inside++;
    if (me == 0)
        while (flag[1] == 2 || flag[1] == 3) {}
    flag[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (ptrdiff_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(inside == 2);
}
