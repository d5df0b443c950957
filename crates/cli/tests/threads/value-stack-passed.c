/* expect: violated data-race */
/* A structure on the stack, whose address another thread has, is passed by value. */
#include <pthread.h>

struct pair { long first, second; };

static long sum(struct pair pair) { return pair.first + pair.second; }

static void *work(void *given) {
    struct pair *pair = given;
    pair->second = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct pair pair = {0, 0};
    pthread_create(&thread, NULL, work, &pair);
    long seen = sum(pair);
    pthread_join(thread, NULL);
    return seen > 2;
}
