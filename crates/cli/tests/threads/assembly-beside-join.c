/* expect: inconclusive */
/* Assembly in a thread, while another one waits for its end, which has used the same memory before: nothing orders the two. */
#include <pthread.h>

static int counter;

static void *work(void *unused) {
    __asm__ volatile("lock incl %0" : "+m"(counter));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    counter++;
    pthread_join(thread, NULL);
    return 0;
}
