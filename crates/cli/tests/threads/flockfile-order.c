/* expect: holds */
/* Nobody writes to a stream while another thread has locked it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int locked, written;

static void *run(void *unused) {
    fprintf(stderr, "x");
    atomic_store(&written, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    flockfile(stderr);
    pthread_create(&thread, NULL, run, NULL);
    atomic_store(&locked, 1);
    assert(atomic_load(&written) == 0);
    funlockfile(stderr);
    pthread_join(thread, NULL);
    assert(atomic_load(&written) == 1);
}
