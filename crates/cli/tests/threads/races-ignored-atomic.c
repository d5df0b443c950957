/* expect: violated assertion; options: --races ignore */
/* A plain read of an atomic variable: it is ordered with the atomic writes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;

static void *writes(void *unused) {
    atomic_store(&value, 1);
    atomic_store(&value, 2);
    return unused;
}

static void *reads(void *unused) {
    assert(*(int *)&value != 1);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, writes, NULL);
    pthread_create(&second, NULL, reads, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
