/* expect: violated data-race */
/* Memory is given back to the system while another thread uses it. */
#include <pthread.h>
#include <sys/mman.h>

static char *memory;

static void *gives_back(void *unused) {
    munmap(memory, 4096);
    return unused;
}

int main(void) {
    pthread_t thread;
    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&thread, NULL, gives_back, NULL);
    memory[0] = 1;
    pthread_join(thread, NULL);
    return 0;
}
