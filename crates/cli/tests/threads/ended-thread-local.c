/* expect: violated use-after-free */
/* So are its thread-local variables. */
#include <pthread.h>

static _Thread_local int local;

static void *run(void *unused) {
    (void)unused;
    local = 1;
    return &local;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, &result);
    return *(int *)result != 1;
}
