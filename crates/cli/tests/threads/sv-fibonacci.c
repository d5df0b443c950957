/* expect: holds under sequential-consistency; options: --races ignore */
/* SV-COMP's fib_bench, one round: the sums stay below the next number of Fibonacci. */
#include <assert.h>
#include <pthread.h>

static int i = 1, j = 1;

static void *first(void *unused) {
    i += j;
    return unused;
}

static void *second(void *unused) {
    j += i;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    assert(i <= 3 && j <= 3);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
