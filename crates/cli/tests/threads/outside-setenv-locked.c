/* expect: violated assertion */
/* Under a lock it is no race, but both orders are possible. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sets(void *unused) {
    pthread_mutex_lock(&lock);
    setenv("MAZURKA_TEST", "1", 1);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, sets, NULL);
    pthread_mutex_lock(&lock);
    char *found = getenv("MAZURKA_TEST");
    pthread_mutex_unlock(&lock);
    assert(found);
    pthread_join(one, NULL);
    return 0;
}
