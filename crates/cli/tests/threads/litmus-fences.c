/* expect: holds under sequential-consistency, executions 2 */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int flag;
static int data;

static void *writer(void *unused) {
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 42);
    }
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
