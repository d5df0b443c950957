/* expect: holds, executions 54 */
/* Two writers and three readers of one atomic: the stores have 2 orders, and each load comes before both, between them or behind
 * them: 2 * 3^3. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *write_(void *value) {
    atomic_store(&x, (int)(long)value);
    return 0;
}

static void *read_(void *unused) {
    atomic_load(&x);
    return unused;
}

int main(void) {
    pthread_t threads[5];
    pthread_create(&threads[0], 0, write_, (void *)1);
    pthread_create(&threads[1], 0, write_, (void *)2);
    for (int i = 2; i < 5; i++)
        pthread_create(&threads[i], 0, read_, 0);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], 0);
    return 0;
}
