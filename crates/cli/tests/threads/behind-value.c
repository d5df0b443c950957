/* expect: inconclusive */
/* A structure of six bytes is passed in a register of eight: gcc loads what comes behind it, which another thread writes. */
#include <pthread.h>

struct part { char bytes[6]; };
static struct { struct part first, second; } shared;

static struct part next(struct part part) {
    part.bytes[5]++;
    return part;
}

static void *work(void *unused) {
    shared.first = next(shared.first);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    shared.second = next(shared.second);
    pthread_join(thread, NULL);
    return shared.first.bytes[5] != shared.second.bytes[5];
}
