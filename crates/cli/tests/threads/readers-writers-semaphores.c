/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Courtois, Heymans and Parnas: the first reader locks writers out, the last lets them in. */
#include <semaphore.h>
static sem_t mutex, room;
static int readers, data;

static void *reader(void *unused) {
    sem_wait(&mutex);
    if (++readers == 1) sem_wait(&room);
    sem_post(&mutex);
    int seen = data;
    assert(seen == 0 || seen == 1);
    sem_wait(&mutex);
    if (--readers == 0) sem_post(&room);
    sem_post(&mutex);
    return unused;
}

static void *writer(void *unused) {
    sem_wait(&room);
    data++;
    sem_post(&room);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    sem_init(&mutex, 0, 1);
    sem_init(&room, 0, 1);
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
