/* expect: violated deadlock */
/* Who writes to a stream waits for who has locked it. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    puts("written under the lock");
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    flockfile(stdout);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    funlockfile(stdout);
    pthread_join(thread, NULL);
}
