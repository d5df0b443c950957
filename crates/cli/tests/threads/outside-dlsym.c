/* expect: inconclusive */
/* A function that is found by its name is called without anybody noticing: here it writes what the other thread writes. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static char text[8];
static char *(*copy)(char *, const char *);

static void *run(void *unused) {
    copy(text, "one");
    return unused;
}

int main(void) {
    pthread_t thread;
    *(void **)&copy = dlsym(NULL, "stpcpy");
    pthread_create(&thread, NULL, run, NULL);
    text[0] = 'x';
    pthread_join(thread, NULL);
    return 0;
}
