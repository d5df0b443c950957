/* expect: holds, executions 2 */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static int counter;

static int run(void *unused) {
    (void)unused;
    mtx_lock(&lock);
    counter++;
    mtx_unlock(&lock);
    return 7;
}

int main(void) {
    thrd_t first, second;
    int result;
    mtx_init(&lock, mtx_plain);
    thrd_create(&first, run, NULL);
    thrd_create(&second, run, NULL);
    thrd_join(first, &result);
    thrd_join(second, NULL);
    assert(counter == 2 && result == 7);
    return 0;
}
