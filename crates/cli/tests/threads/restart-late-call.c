/* expect: holds; note: (umask) */
/* Only one order leads to what cannot be undone, and only after many executions in one process. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

static atomic_int last;

static void *run(void *mine) {
    for (int round = 0; round < 3; round++)
        atomic_store(&last, atomic_load(&last) * 3 + (int)(long)mine);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, (void *)(number + 1));
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
    if (last == 5) {
        assert(umask(077) != 077);
    }
}
