/* expect: holds */
/* Strings that differ at once: what stands behind is not read, so writing it is no race. */
#include <pthread.h>
#include <string.h>

static char name[8] = "left";

static void *writer(void *unused) {
    name[2] = 'x';
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int is_same = strcmp(name, "right") == 0 || strncmp(name, "up", 4) == 0;
    pthread_join(thread, 0);
    return is_same;
}
