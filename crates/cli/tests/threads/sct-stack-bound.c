/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* A stack of fixed size behind a lock, a flag says that something is there. */
#define SIZE 2
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[SIZE], top;

static void *push(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        assert(top < SIZE);
        stack[top++] = i;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *pop(void *unused) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        if (top > 0) {
            assert(stack[top - 1] >= 0);
            top--;
        }
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
