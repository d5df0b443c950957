/* expect: violated data-race */
/* Making a key writes its number. */
#include <pthread.h>

static pthread_key_t key;

static void *makes(void *unused) {
    pthread_key_create(&key, NULL);
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, makes, NULL);
    pthread_setspecific(key, &key);
    pthread_join(one, NULL);
    return 0;
}
