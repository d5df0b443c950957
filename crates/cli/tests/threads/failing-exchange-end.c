/* expect: violated assertion */
/* One of the eight ends of a writer and three readers, of which one is an exchange that fails: a search by races once left it out. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
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
    assert(first + 2 * second + 4 * third != 1);
    return 0;
}
