/* expect: violated crash; note: process of its own */
/* A program that handles its own faults does so, and those that it does not handle end it. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf back;
static volatile int *nowhere;

static void handle(int signal) {
    siglongjmp(back, signal);
}

static void *run(void *unused) {
    *nowhere = 1;
    return unused;
}

int main(void) {
    signal(SIGSEGV, handle);
    if (sigsetjmp(back, 1) == 0)
        *nowhere = 1;
    signal(SIGSEGV, SIG_DFL);
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
}
