/* expect: holds */
/* A loop with a bound is no loop that waits. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *waiter(void *unused) {
    for (int tries = 0; tries < 3 && !flag; tries++)
        ;
    return unused;
}

static void *setter(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, setter, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
