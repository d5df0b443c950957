/* expect: inconclusive */
/* A semaphore of the system, which one thread waits for: nobody knows in which order. */
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/sem.h>

static int semaphore;

static void *posts(void *unused) {
    struct sembuf post = {0, 1, 0};
    semop(semaphore, &post, 1);
    return unused;
}

int main(void) {
    semaphore = semget(IPC_PRIVATE, 1, 0600);
    pthread_t thread;
    pthread_create(&thread, NULL, posts, NULL);
    struct sembuf wait = {0, -1, 0};
    semop(semaphore, &wait, 1);
    pthread_join(thread, NULL);
    semctl(semaphore, 0, IPC_RMID);
}
