/* expect: violated data-race */
/* A loop that waits for a plain variable. */
#include <pthread.h>

static int flag;

static void *wait(void *unused) {
    while (!flag)
        ;
    return unused;
}

static void *set(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, wait, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
