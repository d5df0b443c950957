/* expect: violated use-after-free */
/* The stack of a thread is gone when it has ended. */
#include <pthread.h>

static void *run(void *unused) {
    int local[4] = {1, 2, 3, 4};
    int *volatile escapes = local;
    (void)unused;
    return escapes;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, &result);
    return *(int *)result != 1;
}
