/* expect: holds, executions 1 */
#include <pthread.h>
#include <assert.h>

static __thread int own;

static void *run(void *number) {
    own += (int)(long)number + 1;
    assert(own == (int)(long)number + 1);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
