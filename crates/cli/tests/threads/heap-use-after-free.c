/* expect: violated use-after-free */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *ends(void *unused) {
    pthread_mutex_lock(&lock);
    free(shared);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&thread, NULL, ends, NULL);
    pthread_mutex_lock(&lock);
    *shared = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
