/* expect: violated crash */
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic pointer;

static void *run(void *unused) {
    *pointer = 1;
    return unused;
}

static void *set(void *unused) {
    static int value;
    pointer = &value;
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
