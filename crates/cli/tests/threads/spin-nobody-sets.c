/* expect: violated livelock */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *waiter(void *unused) {
    while (!flag)
        ;
    return unused;
}

static void *nobody(void *unused) {
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, nobody, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
