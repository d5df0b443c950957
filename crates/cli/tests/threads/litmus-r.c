/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int r;

static void *first(void *unused) {
    x = 1;
    y = 1;
    return unused;
}

static void *second(void *unused) {
    y = 2;
    r = x;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(!(y == 2 && r == 0));
}
