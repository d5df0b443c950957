/* expect: violated assertion */
/* All threads are in one directory. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static void *moves(void *unused) {
    return chdir("/tmp") == 0 ? unused : NULL;
}

static void *looks(void *unused) {
    char here[64];
    assert(getcwd(here, sizeof here) && strcmp(here, "/") == 0);
    return unused;
}

int main(void) {
    pthread_t one, two;
    if (chdir("/") != 0)
        return 1;
    pthread_create(&two, NULL, looks, NULL);
    pthread_create(&one, NULL, moves, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
