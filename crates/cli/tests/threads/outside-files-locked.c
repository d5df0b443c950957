/* expect: holds, executions 2 */
/* Files under a lock: two orders, whatever is done inside. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    char byte;
    pthread_mutex_lock(&lock);
    int file = open("/proc/self/status", O_RDONLY);
    assert(read(file, &byte, 1) == 1);
    assert(close(file) == 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
