/* expect: violated data-race */
/* strtok keeps its place for all threads. */
#include <pthread.h>
#include <string.h>

static void *splits(void *text) {
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        ;
    return NULL;
}

int main(void) {
    static char first[] = "a b", second[] = "c d";
    pthread_t one, two;
    pthread_create(&one, NULL, splits, first);
    pthread_create(&two, NULL, splits, second);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
