/* expect: violated assertion */
/* Any time may pass between two looks at a clock. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void *run(void *unused) {
    time_t begin = time(NULL);
    assert(time(NULL) - begin < 60);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    return 0;
}
