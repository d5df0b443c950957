/* expect: holds, executions 1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Nothing is shared. */
static atomic_int x[3];

static void *write(void *number) {
    for (int i = 0; i < 5; i++) x[(ptrdiff_t)number]++;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (ptrdiff_t i = 0; i < 3; i++) pthread_create(&threads[i], NULL, write, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
