/* expect: holds, executions 2 */
/* It is main that waits for one of two variables. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *run(void *unused) {
    second = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    while (first == 0 && second == 0)
        ;
    pthread_join(thread, NULL);
}
