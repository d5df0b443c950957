/* expect: violated crash */
/* A signal may be raised before it is handled. */
#include <pthread.h>
#include <signal.h>

static void handler(int number) {
    (void)number;
}

static void *handles(void *unused) {
    signal(SIGUSR1, handler);
    return unused;
}

static void *raises(void *unused) {
    raise(SIGUSR1);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, handles, NULL);
    pthread_create(&two, NULL, raises, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
