/* expect: holds */
/* A thread waits until nobody uses its stack any more. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready, done;
static int *shared;

static void *owner(void *unused) {
    int local = 1;
    shared = &local;
    sem_post(&ready);
    sem_wait(&done);
    assert(local == 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, owner, NULL);
    sem_wait(&ready);
    *shared = 2;
    sem_post(&done);
    pthread_join(thread, NULL);
    return 0;
}
