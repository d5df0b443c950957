/* expect: holds, executions 4 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Nothing is read before b; b before c; c; and b after both were seen unchanged, before or after c. */
static atomic_int b, c;

static void *change(void *unused) {
    b = 1;
    c = 2;
    return unused;
}

static void *wait(void *unused) {
    while (b == 0 && c == 0) {}
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, wait, NULL);
    pthread_create(&threads[1], NULL, change, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
