/* expect: holds, executions 1 */
/* Parts of one structure, each passed by value by the thread that owns it. */
#include <pthread.h>

struct part { long word; };
static struct { struct part first, second; } shared;

static struct part next(struct part part) {
    part.word++;
    return part;
}

static void *work(void *unused) {
    shared.first = next(shared.first);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    shared.second = next(shared.second);
    pthread_join(thread, NULL);
    return shared.first.word != shared.second.word;
}
