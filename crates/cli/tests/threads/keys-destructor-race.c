/* expect: violated data-race */
/* Two destructors run at the same time and count without a lock. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void *value) {
    (void)value;
    destroyed++;
}

static void *work(void *value) {
    pthread_setspecific(key, value);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int value;
    pthread_key_create(&key, destroy);
    for (int at = 0; at < 2; at++)
        pthread_create(&threads[at], NULL, work, &value);
    for (int at = 0; at < 2; at++)
        pthread_join(threads[at], NULL);
    return destroyed > 2;
}
