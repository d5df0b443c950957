/* expect: inconclusive */
/* Nobody knows what this function of the C library does. */
#include <pthread.h>
#include <stdlib.h>
#include <uchar.h>

static void *run(void *unused) {
    mbstate_t state = {0};
    char16_t letter;
    mbrtoc16(&letter, "a", 1, &state);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
