/* expect: violated deadlock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* An agent lays two things on the table; each smoker takes what it needs, one after the other. */
#include <semaphore.h>
static sem_t tobacco, paper, match;

static void *with_match(void *unused) { sem_wait(&tobacco); sem_wait(&paper); return unused; }
static void *with_paper(void *unused) { sem_wait(&tobacco); sem_wait(&match); return unused; }

int main(void) {
    pthread_t first, second;
    sem_init(&tobacco, 0, 0);
    sem_init(&paper, 0, 0);
    sem_init(&match, 0, 0);
    pthread_create(&first, NULL, with_match, NULL);
    pthread_create(&second, NULL, with_paper, NULL);
    sem_post(&tobacco);
    sem_post(&paper);
    pthread_join(first, NULL);
    sem_post(&tobacco);
    sem_post(&match);
    pthread_join(second, NULL);
}
