/* expect: violated data-race */
/* The buffer of a stream is read while another thread writes to the stream. */
#include <pthread.h>
#include <stdio.h>

static char buffer[64];

static void *run(void *unused) {
    fputs("text", stdout);
    return unused;
}

int main(void) {
    pthread_t thread;
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    pthread_create(&thread, NULL, run, NULL);
    int seen = buffer[0];
    pthread_join(thread, NULL);
    setvbuf(stdout, NULL, _IONBF, 0);
    return seen == 'y';
}
