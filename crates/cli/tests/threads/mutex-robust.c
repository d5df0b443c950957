/* expect: holds */
/* A thread ends with a robust mutex held: the next to lock it is told, and makes it consistent. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int value;

static void *dies(void *unused) {
    if (pthread_mutex_lock(&lock) == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    value++;
    return unused;
}

int main(void) {
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    pthread_t first, second;
    pthread_create(&first, NULL, dies, NULL);
    pthread_create(&second, NULL, dies, NULL);
    assert(pthread_join(first, NULL) == 0 && pthread_join(second, NULL) == 0);
    assert(pthread_mutex_lock(&lock) == EOWNERDEAD);
    assert(value == 2);
    pthread_mutex_unlock(&lock);
    assert(pthread_mutex_lock(&lock) == ENOTRECOVERABLE);
}
