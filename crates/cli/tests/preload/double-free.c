/* expect: violated use-after-free */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int users = 2;
static void *block;

static void *leave(void *unused) {
    pthread_mutex_lock(&mutex);
    users--;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    int last = users == 0;
    pthread_mutex_unlock(&mutex);
    if (last)
        free(block);
    return unused;
}

int main(void) {
    pthread_t first, second;
    block = malloc(16);
    pthread_create(&first, 0, leave, 0);
    pthread_create(&second, 0, leave, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
