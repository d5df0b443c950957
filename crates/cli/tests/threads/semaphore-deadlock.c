/* expect: violated deadlock */
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;

static void *first(void *unused) {
    sem_wait(&a);
    sem_post(&b);
    return unused;
}

static void *second(void *unused) {
    sem_wait(&b);
    sem_post(&a);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
