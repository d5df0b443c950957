/* expect: violated assertion */
/* A key may be deleted before it is used. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *deletes(void *unused) {
    pthread_key_delete(key);
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_key_create(&key, NULL);
    pthread_create(&one, NULL, deletes, NULL);
    assert(pthread_setspecific(key, &key) == 0);
    pthread_join(one, NULL);
    return 0;
}
