/* expect: violated assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;

static void *plus(void *unused) {
    pthread_mutex_lock(&a);
    data1++;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    data2++;
    pthread_mutex_unlock(&b);
    return unused;
}

static void *times(void *unused) {
    pthread_mutex_lock(&a);
    data1 += 5;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    data2 -= 6;
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, plus, NULL);
    pthread_create(&threads[1], NULL, times, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(data1 != 6 || data2 != -5);
}
