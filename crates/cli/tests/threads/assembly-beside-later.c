/* expect: inconclusive */
/* Assembly in a thread that has ended, and an access that nothing orders behind it. */
#include <pthread.h>
#include <semaphore.h>

static int counter;
static sem_t turn;

static void *first(void *unused) {
    __asm__ volatile("incl %0" : "+m"(counter));
    sem_post(&turn);
    __asm__ volatile("incl %0" : "+m"(counter));
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&turn, 0, 0);
    pthread_create(&thread, NULL, first, NULL);
    pthread_detach(thread);
    sem_wait(&turn);
    return counter > 2;
}
