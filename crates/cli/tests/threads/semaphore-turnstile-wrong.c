/* expect: violated assertion */
/* A counter that is looked at before it is taken: two go in where one may. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t places;
static atomic_int inside;

static void *work(void *unused) {
    int left;
    sem_getvalue(&places, &left);
    if (left > 0) {
        assert(atomic_fetch_add(&inside, 1) == 0);
        sem_trywait(&places);
        atomic_fetch_sub(&inside, 1);
        sem_post(&places);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&places, 0, 1);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
}
