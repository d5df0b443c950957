/* expect: violated data-race */
#include <pthread.h>

static int value, copy;

static void *writer(void *unused) {
    value = 1;
    return unused;
}

static void *reader(void *unused) {
    copy = value;
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
