/* expect: holds */
/* Threads, a condition and storage of C11. */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t ready;
static tss_t own;
static once_flag flag = ONCE_FLAG_INIT;
static int made, value;

static void make(void) { made++; }

static int work(void *number) {
    call_once(&flag, make);
    tss_set(own, number);
    mtx_lock(&lock);
    value++;
    cnd_signal(&ready);
    mtx_unlock(&lock);
    assert(tss_get(own) == number);
    thrd_yield();
    return value > 0;
}

int main(void) {
    thrd_t thread;
    int number, result;
    mtx_init(&lock, mtx_plain);
    cnd_init(&ready);
    tss_create(&own, NULL);
    thrd_create(&thread, work, &number);
    call_once(&flag, make);
    mtx_lock(&lock);
    while (value == 0)
        cnd_wait(&ready, &lock);
    mtx_unlock(&lock);
    thrd_join(thread, &result);
    assert(made == 1 && result == 1 && tss_get(own) == NULL);
    tss_delete(own);
    cnd_destroy(&ready);
    mtx_destroy(&lock);
}
