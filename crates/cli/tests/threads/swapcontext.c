/* expect: holds, executions 2 */
/* Threads that are coroutines inside as well. */
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static _Thread_local ucontext_t outside, inside;

static void body(void) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
}

static void *run(void *unused) {
    char *stack = malloc(64 << 10);
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = 64 << 10;
    inside.uc_link = &outside;
    makecontext(&inside, body, 0);
    swapcontext(&outside, &inside);
    free(stack);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, NULL);
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
    assert(counter == 2);
}
