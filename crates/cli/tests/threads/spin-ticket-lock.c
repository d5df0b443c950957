/* expect: holds */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int next, serving;
static int counter;

static void *run(void *unused) {
    int mine = atomic_fetch_add(&next, 1);
    while (serving != mine)
        ;
    counter++;
    serving = mine + 1;
    return unused;
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
