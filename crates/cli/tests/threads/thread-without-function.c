/* expect: violated crash */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void *(*volatile function)(void *);

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
}
