/* expect: inconclusive */
/* A thread is cancelled, which is not explored. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void *work(void *unused) {
    for (;;)
        pause();
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
}
