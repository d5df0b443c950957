/* expect: violated data-race */
/* Memory that a child would share, if there were one, is memory like other. */
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

static int *shared;

static void *run(void *unused) {
    ++*shared;
    return unused;
}

int main(void) {
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    ++*shared;
    pthread_join(thread, NULL);
    return *shared != 2;
}
