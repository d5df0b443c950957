/* expect: holds */
/* Who waits when the program ends does not wait for ever. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, run, NULL);
    exit(0);
}
