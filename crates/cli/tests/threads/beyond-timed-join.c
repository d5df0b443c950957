/* expect: inconclusive */
/* The thread may have ended, or not: only one of the two is seen. */
#define _GNU_SOURCE
#include <pthread.h>

static void *nothing(void *unused) {
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, nothing, NULL);
    if (pthread_tryjoin_np(one, NULL) != 0) pthread_join(one, NULL);
    return 0;
}
