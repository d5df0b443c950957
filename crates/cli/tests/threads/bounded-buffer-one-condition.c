/* expect: violated deadlock */
/* One condition for both: a signal may wake the wrong one. */
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *producer(void *unused) {
    for (int item = 0; item < 2; item++) {
        pthread_mutex_lock(&lock);
        while (count == 1)
            pthread_cond_wait(&changed, &lock);
        count++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&changed, &lock);
    count--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, consumer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_create(&t[2], NULL, producer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
