/* expect: violated data-race */
/* The byte is not there, so all of them are looked at. */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[100];

static void *work(void *unused) {
    text[50] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    void *found = memchr(text, 2, sizeof text);
    pthread_join(thread, NULL);
    return found != NULL;
}
