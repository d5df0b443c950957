/* expect: holds, executions 2 */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdint.h>

static _Atomic uint8_t a;
static _Atomic int16_t b;
static _Atomic uint64_t c;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    a -= 1;
    b -= 1;
    c -= 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(a == 254 && b == -2 && c == UINT64_MAX - 1);
    return 0;
}
