/* expect: violated data-race */
#include <pthread.h>
#include <string.h>

static char text[] = "abcdef", copy[sizeof text];

static void *work(void *unused) {
    copy[3] = 'x';
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    memccpy(copy, text, 0, sizeof text);
    pthread_join(thread, NULL);
    return 0;
}
