/* expect: holds, executions 2 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void unlock(void *held) {
    count++;
    pthread_mutex_unlock(held);
}

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    count++;
    if (count)
        pthread_exit(NULL);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, run, NULL);
    pthread_create(&second, NULL, run, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(count == 4);
    return 0;
}
