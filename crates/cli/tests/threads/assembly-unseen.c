/* expect: inconclusive */
/* Assembly of the program's own, which nobody looks at, while another thread runs. */
#include <pthread.h>

static int counter;

static void *work(void *unused) {
    __asm__ volatile("incl %0" : "+m"(counter));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    __asm__ volatile("incl %0" : "+m"(counter));
    pthread_join(thread, NULL);
    return counter > 2;
}
