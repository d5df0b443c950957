/* expect: holds */
/* What is behind the byte that is found is not looked at, nor what is behind it copied. */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[100], copy[100];

static void *work(void *unused) {
    text[50] = 1;
    copy[50] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    text[20] = 2;
    pthread_create(&thread, NULL, work, NULL);
    void *found = memchr(text, 2, sizeof text);
    void *end = memccpy(copy, text, 2, sizeof text);
    pthread_join(thread, NULL);
    return found != text + 20 || end != copy + 21;
}
