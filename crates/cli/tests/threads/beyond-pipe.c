/* expect: inconclusive */
/* Two threads talk through a pipe: which byte is first is up to the system, and one order is seen. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *what) {
    return write(ends[1], what, 1) == 1 ? NULL : what;
}

int main(void) {
    pthread_t one, two;
    char first = 0;
    if (pipe(ends) != 0) return 1;
    pthread_create(&one, NULL, writes, "b");
    pthread_create(&two, NULL, writes, "a");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(read(ends[0], &first, 1) == 1);
    assert(first == 'a' || first == 'b');
    return 0;
}
