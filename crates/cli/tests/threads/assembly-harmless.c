/* expect: holds */
/* Assembly that touches no memory, and some that runs when there is one thread. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int word;

static void *work(void *unused) {
    atomic_store(&flag, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    __asm__ volatile("incl %0" : "+m"(word));
    pthread_create(&thread, NULL, work, NULL);
    while (!atomic_load(&flag))
        __asm__ volatile("pause" ::: "memory");
    pthread_join(thread, NULL);
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("incl %0" : "+m"(word));
    return word != 2;
}
