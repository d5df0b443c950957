/* expect: holds, executions 2 */
#define _GNU_SOURCE
#include <pthread.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
