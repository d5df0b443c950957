/* expect: holds, executions 1 */
/* Arguments of all kinds, more than there are registers, arrive as they were. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *run(void *unused) {
    char text[256], word[8];
    int number, length = snprintf(text, sizeof text, "%d %s %f %d %d %d %d %s %g %ld %c %Lf %s", 1, "two", 3.0, 4, 5, 6, 7,
                                  "eight", 9.5, 10L, 'k', 12.0L, "end");
    assert(length == (int)strlen(text) && strcmp(text + length - 3, "end") == 0);
    double half;
    assert(sscanf("7 2.5 ab", "%d %lf %7s", &number, &half, word) == 3);
    assert(number == 7 && half == 2.5 && strcmp(word, "ab") == 0);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
