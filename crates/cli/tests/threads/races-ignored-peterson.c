/* expect: holds under sequential-consistency; options: --races ignore */
/* Peterson's algorithm with plain variables, right as long as memory is sequentially consistent; its waiting loops end. */
#include <assert.h>
#include <pthread.h>

static volatile int wants[2], turn;
static int inside;

static void *run(void *number) {
    int me = (int)(long)number;
    wants[me] = 1;
    turn = 1 - me;
    while (wants[1 - me] && turn == 1 - me)
        ;
    assert(inside++ == 0);
    inside--;
    wants[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (long number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, (void *)number);
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
}
