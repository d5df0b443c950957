/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn;
static int inside;

static void *work(void *number) {
    int me = (int)(ptrdiff_t)number, other = 1 - me;
    wants[me] = 1;
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me) {}
            wants[me] = 1;
        }
    }
    inside++;
    turn = other;
    wants[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (ptrdiff_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(inside == 2);
}
