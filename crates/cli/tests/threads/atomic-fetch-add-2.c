/* expect: holds, executions 2 */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int counter;

static void *run(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter == 2);
    return 0;
}
