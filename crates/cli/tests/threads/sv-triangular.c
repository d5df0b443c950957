/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void reach_error(void);
static int i = 3, j = 6;

static void *one(void *unused) {
    for (int k = 0; k < 2; k++) {
        __VERIFIER_atomic_begin();
        i = j + 1;
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *other(void *unused) {
    for (int k = 0; k < 2; k++) {
        __VERIFIER_atomic_begin();
        j = i + 1;
        __VERIFIER_atomic_end();
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, other, NULL);
    __VERIFIER_atomic_begin();
    int wrong = i > 16 || j > 16;
    __VERIFIER_atomic_end();
    if (wrong) reach_error();
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
