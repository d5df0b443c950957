/* expect: violated deadlock */
/* What the second thread does depends on memory that is not seen. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static volatile int mode;

static void *one(void *unused) {
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    mode = 1;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *two(void *unused) {
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    pthread_mutex_t *first = mode ? &b : &a, *second = mode ? &a : &b;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
