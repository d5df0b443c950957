/* expect: violated data-race */
/* What is printed is read. */
#include <pthread.h>
#include <stdio.h>

static char name[] = "one";

static void *run(void *unused) {
    name[0] = 'O';
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, run, NULL);
    printf("%5d %g %s\n", 1, 2.0, name);
    pthread_join(one, NULL);
    return 0;
}
