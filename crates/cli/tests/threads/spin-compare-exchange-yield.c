/* expect: holds */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <sched.h>

static atomic_int lock;
static int counter;

static void *run(void *unused) {
    int free = 0;
    while (!atomic_compare_exchange_weak(&lock, &free, 1)) {
        free = 0;
        sched_yield();
    }
    counter++;
    lock = 0;
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter == 2);
    return 0;
}
