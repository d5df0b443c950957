/* expect: holds, executions 4 */
/* Two pairs of threads, each pair with a mutex of its own: 2 * 2 orders. */
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counters[2];

static void *count(void *number) {
    long mine = (long)number;
    pthread_mutex_lock(&mutexes[mine]);
    counters[mine]++;
    pthread_mutex_unlock(&mutexes[mine]);
    return 0;
}

int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, count, (void *)(i % 2));
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return counters[0] + counters[1] != 4;
}
