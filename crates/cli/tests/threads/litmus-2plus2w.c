/* expect: holds, executions 3 */
/* Two writes each, in opposite orders: 2+2W. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *work(void *unused) {
    atomic_store(&x, 1);
    atomic_store(&y, 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    atomic_store(&y, 1);
    atomic_store(&x, 2);
    pthread_join(thread, NULL);
    assert(!(x == 1 && y == 1));
}
