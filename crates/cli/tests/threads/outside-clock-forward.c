/* expect: holds */
/* A clock does not go back, whoever looks at it. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void *later(void *before) {
    struct timespec now, *then = before;
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec > then->tv_sec || (now.tv_sec == then->tv_sec && now.tv_nsec >= then->tv_nsec));
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct timespec now;
    for (int look = 0; look < 5; look++)
        clock_gettime(CLOCK_MONOTONIC, &now);
    pthread_create(&thread, NULL, later, &now);
    pthread_join(thread, NULL);
    return 0;
}
