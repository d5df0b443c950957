/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Lamport's fast mutual exclusion for two threads. */
static atomic_int x, y, b[3];
static int inside;

static void *work(void *number) {
    int me = (int)(ptrdiff_t)number;
    for (;;) {
        b[me] = 1;
        x = me;
        if (y != 0) {
            b[me] = 0;
            while (y != 0) {}
            continue;
        }
        y = me;
        if (x != me) {
            b[me] = 0;
            for (int j = 1; j <= 2; j++)
                while (b[j]) {}
            if (y != me) {
                while (y != 0) {}
                continue;
            }
        }
        break;
    }
    inside++;
    y = 0;
    b[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (ptrdiff_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(inside == 2);
}
