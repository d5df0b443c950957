/* expect: holds, executions 4 */
/* Who fails to take the lock has looked at it; two looks at one owner are one. */
#include <pthread.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    if (pthread_mutex_trylock(&lock) == 0) {
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
