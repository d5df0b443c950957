/* expect: holds, executions 5 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* The example of many papers: writers of neighbours, and a reader that goes down until it finds a zero. */
#define N 2
static atomic_int array[N + 1];

static void *reader(void *unused) {
    int i = N;
    while (array[i] != 0) i--;
    return unused;
}

static void *writer(void *number) {
    int at = (int)(ptrdiff_t)number;
    array[at] = array[at - 1] + 1;
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[0], NULL, reader, NULL);
    for (ptrdiff_t i = 1; i <= N; i++) pthread_create(&threads[i], NULL, writer, (void *)i);
    for (int i = 0; i <= N; i++) pthread_join(threads[i], NULL);
}
