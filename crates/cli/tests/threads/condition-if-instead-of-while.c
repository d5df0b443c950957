/* expect: violated assertion */
#include <pthread.h>
#include <assert.h>

static int items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    if (items == 0)
        pthread_cond_wait(&changed, &lock);
    items--;
    assert(items >= 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_broadcast(&changed);
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
