/* expect: violated assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Each copies its neighbour's number and adds one; not all orders come out even. */
static atomic_int x1 = 1, x2 = 2, x3 = 1;

static void *first(void *unused) { x1 = (x3 + 1) % 4; return unused; }
static void *second(void *unused) { x2 = x1; return unused; }
static void *third(void *unused) { x3 = x2; return unused; }

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(x1 == x2 && x2 == x3);
}
