/* expect: holds, executions 1 */
#include <pthread.h>
#include <assert.h>
#include <errno.h>

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutex_t lock;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &kind);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
