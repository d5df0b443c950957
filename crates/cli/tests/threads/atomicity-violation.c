/* expect: violated assertion */
/* Every access is locked, and yet an update is lost. */
#include <pthread.h>
#include <assert.h>

static int balance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *unused) {
    pthread_mutex_lock(&lock);
    int seen = balance;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    balance = seen + 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, deposit, (void *)(long)0);
    pthread_create(&t[1], NULL, deposit, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(balance == 2);
    return 0;
}
