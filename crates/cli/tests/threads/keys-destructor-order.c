/* expect: holds */
/* The destructor of a key runs in its thread, with the value, before a join returns; it may set the value again. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_key_t key;
static int destroyed, rounds;
static int values[2];

static void destroy(void *value) {
    *(int *)value += 1;
    destroyed++;
    if (rounds++ == 0)
        pthread_setspecific(key, value);
}

static void *work(void *number) {
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, number);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, work, &values[0]);
    pthread_join(thread, NULL);
    assert(values[0] == 2 && destroyed == 2);
    pthread_create(&thread, NULL, work, &values[1]);
    pthread_join(thread, NULL);
    assert(values[1] == 1 && destroyed == 3);
}
