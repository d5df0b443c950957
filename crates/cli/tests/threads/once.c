/* expect: holds */
#include <pthread.h>
#include <assert.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;

static void make(void) {
    made++;
}

static void *run(void *unused) {
    pthread_once(&once, make);
    assert(made == 1);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, run, (void *)(long)0);
    pthread_create(&t[1], NULL, run, (void *)(long)1);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
