/* expect: violated assertion */
/* What is done at the end is done once, by whoever ends the program first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int stage;

static void handler(void) {
    assert(stage == 2);
}

static void *run(void *unused) {
    stage = 2;
    exit(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, run, NULL);
    stage = 1;
    return 0;
}
