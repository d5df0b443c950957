/* expect: inconclusive; options: --races ignore */
/* A copy of several pieces of memory that are in races is not one step. */
#include <pthread.h>
#include <string.h>

static long shared[4];

static void *run(void *number) {
    long own[4] = {(long)number};
    memcpy(shared, own, sizeof shared);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, NULL);
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
}
