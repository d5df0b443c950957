/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Burns: the one with the lower number goes first. */
static atomic_int flag[2];
static int inside;

static void *low(void *unused) {
    flag[0] = 1;
    while (flag[1]) {}
    inside++;
    flag[0] = 0;
    return unused;
}

static void *high(void *unused) {
    for (;;) {
        flag[1] = 0;
        while (flag[0]) {}
        flag[1] = 1;
        if (!flag[0]) break;
    }
    inside++;
    flag[1] = 0;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, low, NULL);
    pthread_create(&threads[1], NULL, high, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(inside == 2);
}
