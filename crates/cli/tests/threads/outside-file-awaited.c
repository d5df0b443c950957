/* expect: holds */
/* One thread waits until the other has made a file, and then reads what it wrote before. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char path[64];
static int data;

static void *makes(void *unused) {
    data = 1;
    close(open(path, O_CREAT | O_WRONLY, 0600));
    return unused;
}

int main(void) {
    pthread_t one;
    snprintf(path, sizeof path, "/tmp/mazurka-awaited-%d", (int)getpid());
    unlink(path);
    pthread_create(&one, NULL, makes, NULL);
    while (access(path, F_OK) != 0)
        ;
    assert(data == 1);
    pthread_join(one, NULL);
    unlink(path);
    return 0;
}
