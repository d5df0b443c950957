/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* To ask for the value of a semaphore takes nothing: who tries meanwhile succeeds. */
#include <semaphore.h>
static sem_t semaphore;

static void *ask(void *unused) {
    int value;
    sem_getvalue(&semaphore, &value);
    assert(value == 0 || value == 1);
    return unused;
}

static void *try(void *unused) {
    assert(sem_trywait(&semaphore) == 0);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&semaphore, 0, 1);
    pthread_create(&threads[0], NULL, ask, NULL);
    pthread_create(&threads[1], NULL, try, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
