/* expect: holds, executions 2; note: process of its own */
/* A file is opened and closed: nobody can take back what the system has done for a process. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void *run(void *unused) {
    pthread_mutex_lock(&lock);
    FILE *file = fopen("/proc/self/status", "r");
    assert(file && fileno(file) < 20);
    char line[200];
    if (fgets(line, sizeof line, file))
        lines++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int number = 0; number < 2; number++)
        pthread_create(&threads[number], NULL, run, NULL);
    for (int number = 0; number < 2; number++)
        pthread_join(threads[number], NULL);
    assert(lines == 2);
}
