/* expect: holds, executions 6 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Two threads write one variable twice: six ways to merge them. */
static atomic_int x;

static void *write(void *unused) {
    x = 1;
    x = 2;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, write, NULL);
    pthread_create(&threads[1], NULL, write, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
