/* expect: holds, executions 2 */
/* A stream that is locked by the program itself keeps others out. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *run(void *unused) {
    flockfile(stdout);
    flockfile(stdout);
    counter++;
    putchar_unlocked('x');
    printf("%d", counter);
    funlockfile(stdout);
    funlockfile(stdout);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, NULL);
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
    assert(counter == 2);
    assert(ftrylockfile(stdout) == 0);
}
