/* expect: holds */
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *run(void *unused) {
    while (pthread_mutex_trylock(&lock) != 0)
        ;
    counter++;
    pthread_mutex_unlock(&lock);
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
