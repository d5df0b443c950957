/* Every kind of object, in C and in C++: nothing goes wrong, whoever comes first. */
#include "mazurka.h"

struct message {
    int number;
    char text[21];
};

static mazurka_queue queue;
static mazurka_semaphore done;
static mazurka_mutex mutex;
static mazurka_condition condition;
static mazurka_rwlock lock;
static mazurka_variable ready, sum;

static void producer(void *count) {
    for (int i = 0; i < *(int *)count; i++) {
        struct message message = {i, "a text of some bytes"};
        mazurka_send(queue, &message);
    }
    mazurka_read_lock(lock);
    mazurka_rwlock_unlock(lock);
    mazurka_release(done);
}

static void waiter(void *unused) {
    (void)unused;
    mazurka_lock(mutex);
    while (!mazurka_read(ready))
        mazurka_wait(condition, mutex);
    mazurka_unlock(mutex);
}

static void meet(void *barrier) {
    mazurka_add(sum, 1);
    mazurka_barrier_wait(*(mazurka_barrier *)barrier);
    mazurka_assert(mazurka_read(sum) == 2);
}

int main(void) {
    int count = 2;
    queue = mazurka_queue_create("queue", 1, sizeof(struct message));
    done = mazurka_semaphore_create("done", 0);
    mutex = mazurka_mutex_create("mutex");
    condition = mazurka_condition_create("condition");
    lock = mazurka_rwlock_create("lock");
    ready = mazurka_variable_create("ready", 0);
    sum = mazurka_variable_create("sum", 0);

    int actor = mazurka_spawn("producer", producer, &count);
    for (int i = 0; i < count; i++) {
        struct message message;
        mazurka_receive(queue, &message);
        mazurka_assert(message.number == i);
        mazurka_assert(message.text[19] == 's');
    }
    mazurka_assert(mazurka_queue_length(queue) == 0);
    mazurka_write_lock(lock);
    mazurka_rwlock_unlock(lock);
    mazurka_take(done);
    mazurka_join(actor);

    actor = mazurka_spawn("waiter", waiter, NULL);
    mazurka_lock(mutex);
    mazurka_write(ready, 1);
    mazurka_notify_all(condition);
    mazurka_unlock(mutex);
    mazurka_join(actor);

    mazurka_barrier barrier = mazurka_barrier_create("barrier", 2);
    actor = mazurka_spawn("other", meet, &barrier);
    meet(&barrier);
    mazurka_join(actor);
    VS_assert(VS_toss(2) <= 2);
    return 0;
}
