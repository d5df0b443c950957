/* expect: inconclusive */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int made;

static void make(void) {
    pthread_key_create(&key, 0);
    made++;
}

static void *use(void *number) {
    pthread_once(&once, make);
    pthread_setspecific(key, number);
    assert(made == 1);
    assert(pthread_getspecific(key) == number);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, use, (void *)1);
    pthread_create(&second, 0, use, (void *)2);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
