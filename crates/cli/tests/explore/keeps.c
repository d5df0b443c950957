/* Leaves a lock held, or a message that nobody has received, if it comes to that. */
#include "mazurka.h"

static mazurka_mutex mutex;
static mazurka_queue queue;

static void other(void *unused) {
    (void)unused;
    int message = 1;
    if (mazurka_try_lock(mutex))
        mazurka_send(queue, &message);
}

int main(void) {
    mutex = mazurka_mutex_create("mutex");
    queue = mazurka_queue_create("queue", 1, sizeof(int));
    int actor = mazurka_spawn("other", other, NULL);
    mazurka_lock(mutex);
    mazurka_unlock(mutex);
    mazurka_join(actor);
    return 0;
}
