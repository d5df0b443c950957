/* expect: violated data-race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <stdlib.h>
static _Atomic(int *) current;

static void *reader(void *unused) {
    int seen = *atomic_load(&current);
    assert(seen == 1 || seen == 2);
    return unused;
}

static void *writer(void *unused) {
    int *made = malloc(sizeof *made);
    *made = 2;
    free(atomic_exchange(&current, made));
    return unused;
}

int main(void) {
    pthread_t first, second;
    int *made = malloc(sizeof *made);
    *made = 1;
    current = made;
    pthread_create(&first, NULL, reader, NULL);
    pthread_create(&second, NULL, writer, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(current);
}
