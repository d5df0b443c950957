/* expect: holds, executions 24 */
/* Four threads lock one mutex once: 4! orders. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused) {
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, count, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(counter == 4);
    return 0;
}
