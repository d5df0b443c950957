/* expect: violated data-race */
/* Nobody waits for the thread, which may still run when the destructor does. */
#include <pthread.h>

static int count;

static void *work(void *unused) {
    count++;
    return unused;
}

__attribute__((destructor)) static void last(void) { count++; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    return 0;
}
