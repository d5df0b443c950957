/* expect: holds, executions 24 */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int counter;

static void *run(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_create(&t[2], NULL, run, (void *)(long)2);
    pthread_create(&t[3], NULL, run, (void *)(long)3);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    pthread_join(t[3], NULL);
    assert(counter == 4);
    return 0;
}
