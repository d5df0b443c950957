/* expect: violated data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Only one of the two flags says that the data are there. */
static atomic_int ready, cancelled;
static int data;

static void *produce(void *unused) {
    data = 1;
    ready = 1;
    return unused;
}

static void *cancel(void *unused) {
    cancelled = 1;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, produce, NULL);
    pthread_create(&second, NULL, cancel, NULL);
    while (!ready && !cancelled) {}
    int seen = data;
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return seen > 1;
}
