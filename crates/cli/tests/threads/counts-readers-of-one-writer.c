/* expect: holds, executions 8 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Each of three readers comes before or after the write. */
static atomic_int x;

static void *read(void *unused) {
    return x > 1 ? unused : NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, read, NULL);
    x = 1;
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
