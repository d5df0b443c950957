/* expect: holds under sequential-consistency */
/* An operation that reads and writes goes on with the release sequence. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int flag;
static int data;

static void *writer(void *unused) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *middle(void *unused) {
    atomic_fetch_add_explicit(&flag, 2, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_acquire) == 3)
        assert(data == 42);
    return unused;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, middle, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
