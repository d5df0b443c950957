/* expect: violated data-race */
/* To sort is to write. */
#include <pthread.h>
#include <stdlib.h>

static int numbers[4] = {4, 3, 2, 1};

static int compare(const void *one, const void *other) {
    return *(const int *)one - *(const int *)other;
}

static void *run(void *unused) {
    qsort(numbers, 4, sizeof *numbers, compare);
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, run, NULL);
    int first = numbers[0];
    pthread_join(one, NULL);
    return first == 5;
}
