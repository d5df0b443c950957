/* expect: inconclusive */
/* Of a block this large not every byte is looked at. */
#include <pthread.h>
#include <string.h>

static char block[1 << 20];

static void *writer(void *unused) {
    block[1 << 19] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    memset(block, 0, sizeof block);
    pthread_join(thread, 0);
    return 0;
}
