/* expect: holds */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int destroyed;

static void destroy(void *value) {
    free(value);
    pthread_mutex_lock(&lock);
    destroyed++;
    pthread_mutex_unlock(&lock);
}

static void *run(void *number) {
    int *own = malloc(sizeof *own);
    *own = (int)(long)number;
    pthread_setspecific(key, own);
    assert(*(int *)pthread_getspecific(key) == (int)(long)number);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_key_create(&key, destroy);
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(destroyed == 2);
    return 0;
}
