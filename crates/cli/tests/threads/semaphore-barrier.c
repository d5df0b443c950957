/* expect: holds */
/* A barrier of semaphores, used twice (the little book of semaphores). */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <semaphore.h>

static sem_t mutex, gate, back;
static int inside, phase[2];

static void wait(void) {
    sem_wait(&mutex);
    if (++inside == 2) {
        sem_wait(&back);
        sem_post(&gate);
    }
    sem_post(&mutex);
    sem_wait(&gate);
    sem_post(&gate);
    sem_wait(&mutex);
    if (--inside == 0) {
        sem_wait(&gate);
        sem_post(&back);
    }
    sem_post(&mutex);
    sem_wait(&back);
    sem_post(&back);
}

static void *work(void *unused) {
    phase[0] = 1;
    wait();
    assert(phase[1] == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&mutex, 0, 1);
    sem_init(&gate, 0, 0);
    sem_init(&back, 0, 1);
    pthread_create(&thread, NULL, work, NULL);
    phase[1] = 1;
    wait();
    assert(phase[0] == 1);
    pthread_join(thread, NULL);
}
