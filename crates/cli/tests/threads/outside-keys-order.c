/* expect: violated assertion */
/* Which key a thread gets depends on who asks first. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t first, second;

static void *makes(void *unused) {
    pthread_key_create(&first, NULL);
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, makes, NULL);
    pthread_key_create(&second, NULL);
    pthread_join(one, NULL);
    assert(first < second);
    return 0;
}
