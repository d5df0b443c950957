/* expect: violated assertion */
/* A file is renamed by one thread and removed by another. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char before[64], after[64];

static void *renames(void *unused) {
    assert(rename(before, after) == 0);
    return unused;
}

static void *removes(void *unused) {
    unlink(before);
    return unused;
}

int main(void) {
    pthread_t one, two;
    snprintf(before, sizeof before, "/tmp/mazurka-rename-%d", (int)getpid());
    snprintf(after, sizeof after, "/tmp/mazurka-renamed-%d", (int)getpid());
    close(open(before, O_CREAT | O_WRONLY, 0600));
    pthread_create(&one, NULL, renames, NULL);
    pthread_create(&two, NULL, removes, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    unlink(after);
    return 0;
}
