/* expect: inconclusive; note: none */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *set(void *unused) {
    pthread_mutex_lock(&mutex);
    atomic_store(&flag, 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    while (!atomic_load(&flag))
        sched_yield();
    pthread_join(thread, 0);
    return 0;
}
