/* expect: holds, executions 3 */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int x, y;
static int a, b;

static void *first(void *unused) {
    x = 1;
    a = y;
    return unused;
}

static void *second(void *unused) {
    y = 1;
    b = x;
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(a || b);
    return 0;
}
