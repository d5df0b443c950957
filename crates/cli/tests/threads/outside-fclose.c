/* expect: violated crash */
/* A stream may be closed before it is written to. */
#include <pthread.h>
#include <stdio.h>

static FILE *stream;

static void *run(void *unused) {
    fputs("text", stream);
    return unused;
}

int main(void) {
    pthread_t thread;
    stream = fopen("/dev/null", "w");
    pthread_create(&thread, NULL, run, NULL);
    fclose(stream);
    pthread_join(thread, NULL);
}
