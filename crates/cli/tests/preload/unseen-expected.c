/* expect: inconclusive; note: began anew */
/* In which order the first and the last thread lock the mutex changes what the second does, by memory that is not seen. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static sem_t changed, done;
static volatile int mode;

static void *change(void *unused) {
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    mode = 1;
    sem_post(&changed);
    return unused;
}

static void *depend(void *unused) {
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    if (!mode)
        sem_wait(&changed);
    sem_post(&done);
    return unused;
}

static void *use(void *unused) {
    sem_wait(&done);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    return unused;
}

int main(void) {
    pthread_t first, second, third;
    sem_init(&changed, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&first, 0, change, 0);
    pthread_create(&second, 0, depend, 0);
    pthread_create(&third, 0, use, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(third, 0);
    return 0;
}
