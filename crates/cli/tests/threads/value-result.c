/* expect: violated data-race */
/* What a function returns by value is stored into a structure that another thread reads. */
#include <pthread.h>

struct pair { long first, second; } shared;

static struct pair make(void) {
    struct pair pair = {1, 2};
    return pair;
}

static void *work(void *unused) {
    shared = make();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    long seen = shared.second;
    pthread_join(thread, NULL);
    return seen > 2;
}
