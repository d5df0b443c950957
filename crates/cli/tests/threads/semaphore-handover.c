/* expect: holds, executions 1 */
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>

static sem_t ready;
static int data;

static void *producer(void *unused) {
    data = 42;
    sem_post(&ready);
    return unused;
}

static void *consumer(void *unused) {
    sem_wait(&ready);
    assert(data == 42);
    return unused;
}

int main(void) {
    pthread_t t[2];
    sem_init(&ready, 0, 0);
    pthread_create(&t[0], NULL, producer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
