/* expect: violated assertion */
/* The other may come before the end. */
#include <pthread.h>
#include <assert.h>

static void *run(void *unused) {
    assert(!"reached");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    return 0;
}
