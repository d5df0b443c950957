/* expect: holds, executions 1 */
#include <pthread.h>
#include <assert.h>

static int value;

static void *run(void *unused) {
    value++;
    return unused;
}

int main(void) {
    pthread_t thread;
    value = 1;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    value++;
    assert(value == 3);
    return 0;
}
