/* expect: violated data-race */
/* One of the two accesses is not atomic. */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int x;

static void *atomically(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

static void *plainly(void *unused) {
    *(int *)&x = 2;
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, atomically, NULL);
    pthread_create(&t[1], NULL, plainly, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
