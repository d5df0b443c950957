/* expect: inconclusive, executions 1 */
/* A thread that waits for signals, and is told to end by one. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static sigset_t signals;

static void *waits(void *unused) {
    int caught = 0;
    assert(sigwait(&signals, &caught) == 0 && caught == SIGUSR1);
    return unused;
}

int main(void) {
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
}
