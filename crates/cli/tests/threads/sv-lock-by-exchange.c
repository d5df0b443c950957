/* expect: inconclusive */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static atomic_int lock;
static int shared;

static void *work(void *unused) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n == 1 || n == 2);
    while (atomic_exchange(&lock, 1)) {}
    shared += n;
    lock = 0;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(shared >= 2 && shared <= 4);
}
