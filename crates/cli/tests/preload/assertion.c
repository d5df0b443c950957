/* expect: violated assertion */
/* The balance is looked at and changed under the lock, but not under the same lock. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *withdraw(void *unused) {
    pthread_mutex_lock(&mutex);
    int seen = balance;
    pthread_mutex_unlock(&mutex);
    if (seen >= 80) {
        pthread_mutex_lock(&mutex);
        balance -= 80;
        assert(balance >= 0);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, withdraw, 0);
    pthread_create(&second, 0, withdraw, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
