/* expect: violated use-after-free */
/* A thread may end while another uses what is on its stack. */
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int *shared;

static void *owner(void *unused) {
    int local = 1;
    shared = &local;
    sem_post(&ready);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, owner, NULL);
    sem_wait(&ready);
    *shared = 2;
    pthread_join(thread, NULL);
    return 0;
}
