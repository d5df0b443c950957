/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int a, b, c;
static int data;

static void *change(void *unused) {
    data = 1;
    b = 1;
    return unused;
}

static void *wait(void *unused) {
    while (a == 0 && b == 0 && c == 0) {}
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, wait, NULL);
    pthread_create(&threads[1], NULL, change, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
