/* expect: inconclusive */
/* A file that is mapped twice: the two threads write to the same memory at different addresses. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int *one, *other;

static void *run(void *unused) {
    ++*other;
    return unused;
}

int main(void) {
    char name[] = "/tmp/mazurka-mapped-XXXXXX";
    int file = mkstemp(name);
    unlink(name);
    if (ftruncate(file, 4096) != 0)
        return 1;
    one = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    other = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    ++*one;
    pthread_join(thread, NULL);
    return *one != 2;
}
