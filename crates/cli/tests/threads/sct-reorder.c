/* expect: violated assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Two setters of two values, one after the other; a checker between. */
static atomic_int a, b;

static void *set(void *unused) {
    a = 1;
    b = -1;
    return unused;
}

static void *check(void *unused) {
    int x = a, y = b;
    assert((x == 0 && y == 0) || (x == 1 && y == -1));
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, set, NULL);
    pthread_create(&threads[1], NULL, check, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
