/* expect: holds; options: --spurious */
/* One waits in a loop, and so does not mind. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *takes(void *unused) {
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&filled, &lock);
    assert(items == 1);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, takes, NULL);
    pthread_mutex_lock(&lock);
    items = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}
