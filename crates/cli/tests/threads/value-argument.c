/* expect: violated data-race */
/* A structure that another thread writes is passed by value: the copy reads it. */
#include <pthread.h>

struct pair { long first, second; } shared;

static long sum(struct pair pair) { return pair.first + pair.second; }

static void *work(void *unused) {
    shared.second = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    long seen = sum(shared);
    pthread_join(thread, NULL);
    return seen > 1;
}
