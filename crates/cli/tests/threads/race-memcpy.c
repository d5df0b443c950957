/* expect: violated data-race */
#include <pthread.h>
#include <string.h>

static char from[64], to[64];

static void *copy(void *unused) {
    memcpy(to, from, sizeof to);
    return unused;
}

static void *touch(void *unused) {
    from[40] = 1;
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, copy, NULL);
    pthread_create(&t[1], NULL, touch, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
