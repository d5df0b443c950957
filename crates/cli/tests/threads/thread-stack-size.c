/* expect: holds */
/* Threads with stacks of their own size: a small one, and one of 32 MB that is used. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

static void *uses(void *unused) {
    char room[20 << 20];
    memset(room, 1, 4096);
    room[sizeof room - 1] = 2;
    assert(room[0] + room[sizeof room - 1] == 3);
    return unused;
}

static void *rests(void *unused) {
    return unused;
}

int main(void) {
    pthread_attr_t small, large;
    pthread_attr_init(&small);
    assert(pthread_attr_setstacksize(&small, 64 << 10) == 0);
    pthread_attr_init(&large);
    assert(pthread_attr_setstacksize(&large, 32 << 20) == 0);
    pthread_t first, second;
    assert(pthread_create(&first, &small, rests, NULL) == 0);
    assert(pthread_create(&second, &large, uses, NULL) == 0);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
