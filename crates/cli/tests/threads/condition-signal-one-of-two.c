/* expect: violated deadlock */
/* One condition for two reasons, and only one of those who wait is woken: the wrong one. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int state;

static void *wait_for(void *number) {
    pthread_mutex_lock(&lock);
    while (state != *(int *)number)
        pthread_cond_wait(&changed, &lock);
    state++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int one = 1, two = 2;
    pthread_create(&threads[0], NULL, wait_for, &two);
    pthread_create(&threads[1], NULL, wait_for, &one);
    pthread_mutex_lock(&lock);
    state = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    for (int at = 0; at < 2; at++)
        pthread_join(threads[at], NULL);
}
