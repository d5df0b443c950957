/* expect: holds under sequential-consistency */
/* What the other thread writes on the stack of main, which waits in a loop, is no part of the state of that loop. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct shared {
    atomic_int flag;
    int result;
    atomic_int steps;
};

static void *run(void *argument) {
    struct shared *shared = argument;
    shared->result = 7;
    atomic_fetch_add(&shared->steps, 1);
    atomic_store_explicit(&shared->flag, 1, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t thread;
    struct shared shared = {0};
    pthread_create(&thread, 0, run, &shared);
    while (!atomic_load_explicit(&shared.flag, memory_order_acquire))
        ;
    assert(shared.result == 7);
    pthread_join(thread, 0);
    return 0;
}
