/* expect: inconclusive, executions 1 */
/* A data race, which is not seen; that is why nothing is said to hold. */
#include <pthread.h>

static int counter;

static void *count(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, count, 0);
    pthread_create(&second, 0, count, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
