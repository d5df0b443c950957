/* expect: violated data-race */
/* Both threads write to one buffer. */
#include <pthread.h>
#include <stdio.h>

static char line[64];

static void *run(void *name) {
    snprintf(line, sizeof line, "%s: %d", (char *)name, 1);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, run, "one");
    pthread_create(&two, NULL, run, "two");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
