/* expect: holds */
/* A timed lock of C11 is had or not. */
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static int counter;

static int work(void *unused) {
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec += 1;
    int result = mtx_timedlock(&lock, &until);
    assert(result == thrd_success || result == thrd_timedout);
    if (result == thrd_success) {
        counter++;
        mtx_unlock(&lock);
    }
    return unused != NULL;
}

int main(void) {
    thrd_t threads[2];
    mtx_init(&lock, mtx_timed);
    for (int at = 0; at < 2; at++)
        thrd_create(&threads[at], work, NULL);
    for (int at = 0; at < 2; at++)
        thrd_join(threads[at], NULL);
    assert(counter <= 2);
}
