/* expect: holds */
/* Handlers of `atexit` come before destructors, and of these the last comes first. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int calls;

static void *work(void *unused) {
    calls++;
    return unused;
}

static void handler(void) { assert(calls++ == 1); }

__attribute__((destructor(200))) static void first(void) { assert(calls++ == 2); }

__attribute__((destructor(101))) static void second(void) { assert(calls == 3); }

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
