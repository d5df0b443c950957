/* expect: holds under sequential-consistency, executions 4; options: --races ignore */
/* Both threads read and write one variable: of six orders of these four steps, four differ. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *run(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, NULL);
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
    assert(counter == 1 || counter == 2);
}
