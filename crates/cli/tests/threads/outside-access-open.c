/* expect: violated assertion */
/* Whether a file is there depends on who comes first: both orders are explored. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char path[64];

static void *makes(void *unused) {
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    close(file);
    return unused;
}

static void *looks(void *unused) {
    assert(access(path, F_OK) == 0);
    return unused;
}

int main(void) {
    pthread_t one, two;
    snprintf(path, sizeof path, "/tmp/mazurka-access-open-%d", (int)getpid());
    unlink(path);
    pthread_create(&one, NULL, makes, NULL);
    pthread_create(&two, NULL, looks, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    unlink(path);
    return 0;
}
