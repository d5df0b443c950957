/* expect: holds */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int wants[2], turn;
static int counter;

static void *run(void *number) {
    long me = (long)number, other = 1 - me;
    wants[me] = 1;
    turn = (int)other;
    while (wants[other] && turn == other)
        ;
    counter++;
    wants[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(counter == 2);
    return 0;
}
