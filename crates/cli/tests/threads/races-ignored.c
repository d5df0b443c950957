/* expect: violated assertion; note: data races were ignored; options: --races ignore */
/* The lost update that a racing counter leads to. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *run(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, NULL);
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
    assert(counter == 2);
}
