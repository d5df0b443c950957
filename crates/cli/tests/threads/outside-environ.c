/* expect: violated data-race */
/* The environment is looked at by its variable, and changed by a function. */
#include <pthread.h>
#include <stdlib.h>

extern char **environ;

static void *run(void *unused) {
    setenv("MAZURKA_TEST", "1", 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    char *first = environ[0];
    pthread_join(thread, NULL);
    return first == NULL && environ[0] == NULL;
}
