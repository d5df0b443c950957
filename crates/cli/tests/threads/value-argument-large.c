/* expect: violated data-race */
/* So large that it is copied by an instruction of its own. */
#include <pthread.h>

struct large { char bytes[300]; } shared;

static int last(struct large copy) { return copy.bytes[299]; }

static void *work(void *unused) {
    shared.bytes[299] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int seen = last(shared);
    pthread_join(thread, NULL);
    return seen > 1;
}
