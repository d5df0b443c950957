/* expect: violated assertion */
/* SCTBench's account: deposit and withdrawal under locks, the check under another. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int balance = 10, has_deposited, has_withdrawn;

static void *deposit(void *unused) {
    pthread_mutex_lock(&lock);
    balance += 5;
    has_deposited = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *withdraw(void *unused) {
    pthread_mutex_lock(&lock);
    balance -= 3;
    has_withdrawn = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *check(void *unused) {
    if (has_deposited && has_withdrawn) {
        pthread_mutex_lock(&lock);
        assert(balance == 10);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[3];
    void *(*work[])(void *) = {deposit, withdraw, check};
    for (int at = 0; at < 3; at++)
        pthread_create(&threads[at], NULL, work[at], NULL);
    for (int at = 0; at < 3; at++)
        pthread_join(threads[at], NULL);
}
