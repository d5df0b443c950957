/* expect: holds, executions 6; note: none */
/* Whatever an execution leaves in memory is gone in the next: variables, static ones in functions, those of threads, the environment,
 * what the C library keeps, how numbers are rounded. */
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int initialised = 7, zeroed, large[1 << 16];
static _Thread_local int own = 3;
static char *kept;

static int calls(void) {
    static int count;
    return ++count;
}

static void at_the_end(void) {
    zeroed = -1;
}

static void *run(void *unused) {
    assert(own == 3);
    own = 4;
    pthread_mutex_lock(&lock);
    large[40000]++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    assert(initialised == 7 && zeroed == 0 && kept == NULL && own == 3 && large[40000] == 0);
    assert(calls() == 1);
    assert(getenv("LEFT_BEHIND") == NULL);
    assert(drand48() < 1e-6);
    assert(fegetround() == FE_TONEAREST);
    initialised = zeroed = 1;
    own = 5;
    kept = malloc(100);
    strcpy(kept, "two words");
    setenv("LEFT_BEHIND", "1", 1);
    fesetround(FE_UPWARD);
    atexit(at_the_end);
    pthread_t threads[3];
    for (int number = 0; number < 3; number++)
        pthread_create(&threads[number], NULL, run, NULL);
    for (int number = 0; number < 3; number++)
        pthread_join(threads[number], NULL);
    assert(large[40000] == 3);
    printf("done %d\n", initialised);
}
