/* Threads of an actor: they may do as they like, but not perform operations. */
#include "mazurka.h"
#include <pthread.h>
#include <stddef.h>

static mazurka_variable x;
static int sum;

static void *quiet(void *unused) {
    (void)unused;
    sum++;
    return NULL;
}

static void *loud(void *unused) {
    (void)unused;
    mazurka_fetch_add(x, 1);
    return NULL;
}

static void work(void *body) {
    pthread_t thread;
    mazurka_fetch_add(x, 1);
    pthread_create(&thread, NULL, body == NULL ? quiet : loud, NULL);
    pthread_join(thread, NULL);
    mazurka_fetch_add(x, sum);
}

int main(int count, char **words) {
    (void)words;
    x = mazurka_variable_create("x", 0);
    mazurka_spawn("worker", work, count > 1 ? &sum : NULL);
    mazurka_fetch_add(x, 1);
    return 0;
}
