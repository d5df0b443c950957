/* expect: violated data-race */
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;
static int inside;

static void *run(void *unused) {
    sem_wait(&gate);
    inside++;
    sem_post(&gate);
    return unused;
}

int main(void) {
    pthread_t t[2];
    sem_init(&gate, 0, 2);
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
