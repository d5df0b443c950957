/* expect: violated data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* The result of a thread is written where another reads. */
static void *result;

static void *give(void *unused) {
    return unused;
}

static void *look(void *unused) {
    return result ? unused : NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, give, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    pthread_join(threads[0], &result);
    pthread_join(threads[1], NULL);
}
