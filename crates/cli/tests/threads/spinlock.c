/* expect: holds, executions 2 */
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *run(void *unused) {
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_spin_init(&lock, 0);
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
