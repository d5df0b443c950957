/* expect: violated data-race */
#include <pthread.h>

static int value;

static void *run(void *unused) {
    value = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    value = 0;
    pthread_create(&thread, NULL, run, NULL);
    value = 2;
    pthread_join(thread, NULL);
    return 0;
}
