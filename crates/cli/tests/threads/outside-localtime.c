/* expect: violated data-race */
/* localtime gives all threads the same memory: a lock around the call alone does not help. */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *seconds) {
    time_t when = (time_t)(long)seconds;
    pthread_mutex_lock(&lock);
    struct tm *time = gmtime(&when);
    pthread_mutex_unlock(&lock);
    return time->tm_sec == 1 ? NULL : seconds;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, run, (void *)1);
    pthread_create(&two, NULL, run, (void *)2);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
