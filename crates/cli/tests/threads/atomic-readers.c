/* expect: holds, executions 4 */
/* One writes, two read: each reads before or after. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *writer(void *unused) {
    x = 1;
    return unused;
}

static void *reader(void *unused) {
    int seen = x;
    (void)seen;
    return unused;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
