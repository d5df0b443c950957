/* expect: violated deadlock */
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;

static void *one(void *unused) {
    sem_wait(&a);
    sem_wait(&b);
    sem_post(&b);
    sem_post(&a);
    return unused;
}

static void *two(void *unused) {
    sem_wait(&b);
    sem_wait(&a);
    sem_post(&a);
    sem_post(&b);
    return unused;
}

int main(void) {
    pthread_t first, second;
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
