/* expect: violated assertion */
/* What the loader calls at the end is a part of the program. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *unused) {
    done = 1;
    return unused;
}

__attribute__((destructor)) static void last(void) { assert(done); }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    return 0;
}
