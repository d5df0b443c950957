/* expect: holds */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int sequence, low, high;

static void *writer(void *unused) {
    sequence++;
    low = 1;
    high = 1;
    sequence++;
    return unused;
}

static void *reader(void *unused) {
    int before, a, b;
    do {
        while ((before = sequence) & 1)
            ;
        a = low;
        b = high;
    } while (sequence != before);
    assert(a == b);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
