/* expect: holds, executions 7 */
/* Load buffering in a circle of three: not all loads can come behind the stores. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cells[3];
static int seen[3];

static void *run(void *number) {
    long mine = (long)number;
    seen[mine] = atomic_load(&cells[mine]);
    atomic_store(&cells[(mine + 1) % 3], 1);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, run, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(!(seen[0] && seen[1] && seen[2]));
    return 0;
}
