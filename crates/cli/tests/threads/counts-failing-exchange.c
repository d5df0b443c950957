/* expect: holds, executions 8 */
/* An exchange that always fails is a read: one writer, three readers, 2 * 2 * 2 classes. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int first, second, third;
static void *w(void *u) { atomic_store(&x, 1); return u; }
static void *r1(void *u) { first = atomic_load(&x); return u; }
static void *r2(void *u) { second = atomic_load(&x); return u; }
static void *c(void *u) { int e = 2; atomic_compare_exchange_strong(&x, &e, 1); third = e; return u; }
int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, w, 0); pthread_create(&t[1], 0, r1, 0); pthread_create(&t[2], 0, r2, 0); pthread_create(&t[3], 0, c, 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    return 0;
}
