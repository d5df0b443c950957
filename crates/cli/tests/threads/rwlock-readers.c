/* expect: holds, executions 2 */
/* Who comes first, the reader or the writer. */
#include <pthread.h>

static int value;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *number) {
    pthread_rwlock_rdlock(&lock);
    int copy = value;
    (void)copy;
    pthread_rwlock_unlock(&lock);
    return number;
}

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, reader, NULL);
    pthread_create(&t[1], NULL, writer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
