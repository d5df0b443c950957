/* expect: violated data-race */
/* A variable on the stack of main, shared by a pointer. */
#include <pthread.h>

static void *run(void *value) {
    ++*(int *)value;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int value = 0;
    pthread_create(&first, NULL, run, &value);
    pthread_create(&second, NULL, run, &value);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
