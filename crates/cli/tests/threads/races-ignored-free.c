/* expect: violated data-race; options: --races ignore */
/* That memory is given back is no order to be explored: it is an error. */
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *uses(void *unused) {
    *shared = 1;
    return unused;
}

static void *frees(void *unused) {
    free(shared);
    return unused;
}

int main(void) {
    shared = malloc(sizeof *shared);
    pthread_t first, second;
    pthread_create(&first, NULL, uses, NULL);
    pthread_create(&second, NULL, frees, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
