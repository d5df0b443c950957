/* expect: inconclusive */
/* A signal may end the thread's process, and with it the program, before it is joined. */
#include <pthread.h>
#include <signal.h>

static void *nothing(void *unused) {
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, nothing, NULL);
    pthread_kill(one, SIGURG);
    pthread_join(one, NULL);
    return 0;
}
