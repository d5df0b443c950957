/* expect: violated data-race */
/* A member of a structure on the stack, whose address another thread has. */
#include <pthread.h>

struct pair { int first, second; };

static void *work(void *given) {
    struct pair *pair = given;
    pair->second = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct pair pair = {0, 0};
    pthread_create(&thread, NULL, work, &pair);
    pair.second++;
    pthread_join(thread, NULL);
    return pair.second > 2;
}
