/* expect: holds, executions 1 */
/* A field of no bits parts two fields. */
#include <pthread.h>

static struct { unsigned first : 3; unsigned : 0; unsigned second : 5; } shared;

static void *work(void *unused) {
    shared.first = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    shared.second = 2;
    pthread_join(thread, NULL);
    return shared.first + shared.second != 3;
}
