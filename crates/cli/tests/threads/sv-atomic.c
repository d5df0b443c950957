/* expect: holds, executions 2 */
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int), reach_error(void);
extern int __VERIFIER_nondet_int(void), __VERIFIER_nondet_bool(void);

static int x;

static void *run(void *unused) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    if (x != 2)
        reach_error();
    return 0;
}
