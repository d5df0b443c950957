/* expect: holds */
/* Lamport's bakery for two: one loop that waits comes after another. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticket[2], choosing[2];
static int inside;

static void *run(void *which) {
    int me = (int)(long)which, other = 1 - me;
    choosing[me] = 1;
    int highest = ticket[other];
    ticket[me] = highest + 1;
    choosing[me] = 0;
    while (choosing[other])
        ;
    while (ticket[other] != 0 && (ticket[other] < ticket[me] || (ticket[other] == ticket[me] && other < me)))
        ;
    inside++;
    assert(inside == 1);
    inside--;
    ticket[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, run, (void *)0);
    pthread_create(&two, NULL, run, (void *)1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
