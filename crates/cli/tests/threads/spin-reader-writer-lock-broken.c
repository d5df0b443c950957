/* expect: violated data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* The writer looks, and then takes the lock without looking again. */
static atomic_int lock;
static int data;

static void *reader(void *unused) {
    while (lock < 0) {}
    atomic_fetch_add(&lock, 1);
    int seen = data;
    atomic_fetch_sub(&lock, 1);
    return seen > 1 ? unused : NULL;
}

static void *writer(void *unused) {
    while (lock != 0) {}
    lock = -1;
    data++;
    lock = 0;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
