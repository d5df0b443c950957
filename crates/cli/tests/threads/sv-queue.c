/* expect: violated crash */
/* SV-COMP's way: a queue whose end is checked before the lock. */
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int amount;

static void *put(void *unused) {
    if (amount < 1) {
        pthread_mutex_lock(&lock);
        amount = amount + 1;
        if (amount > 1)
            reach_error();
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, put, 0);
    put(0);
    pthread_join(thread, 0);
    return 0;
}
