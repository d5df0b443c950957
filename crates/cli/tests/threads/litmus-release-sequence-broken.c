/* expect: violated data-race */
/* A store of another thread ends the release sequence. Which order races depends on who stored last, though both store 1. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *writer(void *unused) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *other(void *unused) {
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_acquire)) {
        int copy = data;
        (void)copy;
    }
    return unused;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, other, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
