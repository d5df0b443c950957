/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* x = 2; y = 1 beside r = y; x = 1: with r = 1, the last write of x is that of the second thread. */
static atomic_int x, y;
static int r;

static void *first(void *unused) {
    x = 2;
    y = 1;
    return unused;
}

static void *second(void *unused) {
    r = y;
    x = 1;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(!(r == 1 && x == 2));
}
