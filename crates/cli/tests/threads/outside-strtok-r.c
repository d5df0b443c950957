/* expect: holds, executions 1 */
/* strtok_r keeps it for each caller. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *splits(void *text) {
    char *rest;
    int count = 0;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        count++;
    assert(count == 2);
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
