/* expect: inconclusive */
/* Nobody knows what this function of the C library writes. The memory is used by a thread that then waits for the end of the other. */
#include <pthread.h>
#include <stdlib.h>
#include <uchar.h>

static char16_t letter;

static void *run(void *unused) {
    mbstate_t state = {0};
    mbrtoc16(&letter, "a", 1, &state);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    letter = 'b';
    pthread_join(thread, NULL);
    return 0;
}
