/* expect: violated data-race */
/* Two bit fields beside one another are one piece of memory. */
#include <pthread.h>

static struct { unsigned first : 3, second : 5; } shared;

static void *work(void *unused) {
    shared.first = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    shared.second = 2;
    pthread_join(thread, NULL);
    return shared.first + shared.second > 3;
}
