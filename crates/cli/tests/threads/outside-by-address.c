/* expect: violated assertion */
/* A function of the C library is called by its address. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int (*end)(int) = close;
static int file;

static void *ends(void *unused) {
    end(file);
    return unused;
}

static void *reads(void *unused) {
    char byte;
    assert(read(file, &byte, 1) == 1);
    return unused;
}

int main(void) {
    pthread_t one, two;
    file = open("/proc/self/status", O_RDONLY);
    pthread_create(&two, NULL, reads, NULL);
    pthread_create(&one, NULL, ends, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
