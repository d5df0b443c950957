/* expect: violated data-race */
/* Large structures are assigned to one another. */
#include <pthread.h>

struct large { long words[100]; } *shared, first, other;

static void *work(void *unused) {
    shared->words[70] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = &first;
    pthread_create(&thread, NULL, work, NULL);
    other = *shared;
    pthread_join(thread, NULL);
    return other.words[70] > 1;
}
