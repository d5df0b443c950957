/* expect: violated crash */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *make(void *unused) {
    pthread_mutex_lock(&mutex);
    shared = calloc(1, sizeof *shared);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *use(void *unused) {
    pthread_mutex_lock(&mutex);
    *shared = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, make, 0);
    pthread_create(&second, 0, use, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    free(shared);
    return 0;
}
