/* expect: holds, executions 3 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *write(void *unused) {
    x = 1;
    x = 2;
    return unused;
}

static void *read(void *unused) {
    int seen = x;
    assert(seen >= 0 && seen <= 2);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, write, NULL);
    pthread_create(&threads[1], NULL, read, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
