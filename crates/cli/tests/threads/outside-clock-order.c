/* expect: violated assertion */
/* Which of two threads looks at the clock first is not known. */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static struct timespec first, second;

static void *one(void *unused) {
    clock_gettime(CLOCK_MONOTONIC, &first);
    return unused;
}

static void *two(void *unused) {
    clock_gettime(CLOCK_MONOTONIC, &second);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(first.tv_sec < second.tv_sec || (first.tv_sec == second.tv_sec && first.tv_nsec <= second.tv_nsec));
    return 0;
}
