/* expect: violated data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* The value is written to memory of both threads. */
#include <semaphore.h>
static sem_t semaphore;
static int value;

static void *ask(void *unused) {
    sem_getvalue(&semaphore, &value);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&semaphore, 0, 1);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, ask, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
