/* expect: holds */
/* Threads are told apart by their numbers too. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *run(void *number) {
    *(long *)number = gettid();
    assert(syscall(SYS_gettid) == gettid() && gettid() != getpid());
    return NULL;
}

int main(void) {
    long numbers[2];
    pthread_t threads[2];
    for (int number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, &numbers[number]);
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
    assert(gettid() == getpid() && numbers[0] != numbers[1]);
}
