/* expect: holds */
/* Two threads write to a stream with a buffer of the program's: the stream protects it. */
#include <pthread.h>
#include <stdio.h>

static char buffer[64];

static void *run(void *unused) {
    fputs("text", stdout);
    return unused;
}

int main(void) {
    pthread_t first, second;
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    pthread_create(&first, NULL, run, NULL);
    pthread_create(&second, NULL, run, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    fflush(stdout);
    return buffer[0] == 'y';
}
