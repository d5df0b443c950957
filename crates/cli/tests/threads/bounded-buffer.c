/* expect: holds */
#include <pthread.h>
#include <assert.h>

#define SIZE 1
static int buffer[SIZE], count, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;

static void *producer(void *unused) {
    for (int item = 1; item <= 3; item++) {
        pthread_mutex_lock(&lock);
        while (count == SIZE)
            pthread_cond_wait(&emptied, &lock);
        buffer[count++] = item;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int item = 1; item <= 3; item++) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&filled, &lock);
        sum += buffer[--count];
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, producer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(sum == 6);
    return 0;
}
