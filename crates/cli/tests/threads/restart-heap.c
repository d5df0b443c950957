/* expect: inconclusive, executions 2; note: none */
/* Memory that is handed out holds nothing of an earlier execution, large blocks included. (Of these only the ends are
 * checked for races, so the verdict is inconclusive.) */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    size_t size = 100 << 10;
    char *block = malloc(size), *aligned = aligned_alloc(64, 256);
    assert(memchr(block, 'x', size) == NULL && memchr(aligned, 'x', 256) == NULL);
    memset(block, 'x', size);
    memset(aligned, 'x', 256);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, NULL);
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
}
