/* expect: holds, executions 4 */
/* One writer and two readers: each reader before or behind the writer; readers commute. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *read_(void *result) {
    pthread_rwlock_rdlock(&lock);
    *(int *)result = value;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t readers[2];
    int seen[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&readers[i], 0, read_, &seen[i]);
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(readers[i], 0);
    return 0;
}
