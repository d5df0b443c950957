/* expect: holds */
/* main returns while the other may still run. */
#include <pthread.h>

static void *run(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_detach(thread);
    return 0;
}
