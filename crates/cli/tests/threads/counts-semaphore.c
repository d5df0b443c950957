/* expect: holds, executions 6 */
/* Three threads take the one unit of a semaphore and give it back: 3! orders. */
#include <pthread.h>
#include <semaphore.h>

static sem_t unit;

static void *use(void *unused) {
    sem_wait(&unit);
    sem_post(&unit);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    sem_init(&unit, 0, 1);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, use, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
