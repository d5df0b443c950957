/* expect: holds */
/* A thread that is detached from the beginning, with a stack of its own size, and waited for by a semaphore. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <semaphore.h>

static sem_t done;
static int value;

static void *work(void *unused) {
    value = 1;
    sem_post(&done);
    return unused;
}

int main(void) {
    pthread_attr_t how;
    pthread_t thread;
    pthread_attr_init(&how);
    pthread_attr_setdetachstate(&how, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&how, 1 << 20);
    sem_init(&done, 0, 0);
    pthread_create(&thread, &how, work, NULL);
    pthread_attr_destroy(&how);
    sem_wait(&done);
    assert(value == 1);
}
