/* expect: holds, executions 2; note: none */
/* What was on the stack before is the same in every execution, deep down too. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int __attribute__((noinline)) dig(int depth, int is_writing) {
    volatile char room[4096];
    if (is_writing)
        memset((char *)room, 'x', sizeof room);
    int found = room[100] == 'x';
    return depth ? found + dig(depth - 1, is_writing) : found;
}

static void *run(void *unused) {
    assert(dig(200, 0) == 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    assert(dig(200, 1) == 201);
    return unused;
}

int main(void) {
    assert(dig(500, 0) == 0);
    pthread_t threads[2];
    for (int number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, NULL);
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
    assert(dig(500, 1) == 501);
}
