/* expect: holds */
/* What a thread gives to `pthread_exit`, from deep inside, comes out of the join. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static int *answer;

static void deep(int depth) {
    if (depth == 0)
        pthread_exit(answer);
    deep(depth - 1);
}

static void *work(void *unused) {
    answer = malloc(sizeof *answer);
    *answer = 42;
    deep(5);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert(*(int *)result == 42 && pthread_equal(thread, thread));
    free(result);
}
