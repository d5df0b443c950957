/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <semaphore.h>
static sem_t customers, barber;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int waiting, turned_away, cut;

static void *customer(void *unused) {
    pthread_mutex_lock(&lock);
    if (waiting == 1) {
        turned_away++;
        sem_post(&customers);
        pthread_mutex_unlock(&lock);
        return unused;
    }
    waiting++;
    sem_post(&customers);
    pthread_mutex_unlock(&lock);
    sem_wait(&barber);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&customers, 0, 0);
    sem_init(&barber, 0, 0);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, customer, NULL);
    for (int i = 0; i < 2; i++) {
        sem_wait(&customers);
        pthread_mutex_lock(&lock);
        if (waiting > 0) {
            waiting--;
            cut++;
            sem_post(&barber);
        }
        pthread_mutex_unlock(&lock);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(cut + turned_away >= 2);
}
