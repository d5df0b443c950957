/* expect: violated data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Whether there is something is asked without the lock. */
#define SIZE 2
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[SIZE], top;

static void *push(void *unused) {
    pthread_mutex_lock(&lock);
    stack[top++] = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *pop(void *unused) {
    if (top > 0) {
        pthread_mutex_lock(&lock);
        top--;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, push, NULL);
    pthread_create(&threads[1], NULL, pop, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
