/* expect: holds under sequential-consistency */
/* What a thread waits for lies on its own stack, and another thread writes it (as a stop callback of C++ does). */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

struct callback {
    atomic_int is_done;
};
static atomic_uint value = 4;
static struct callback *registered;

static void lock(unsigned bit) {
    unsigned old = atomic_load(&value);
    for (;;) {
        if (old & 2) {
            sched_yield();
            old = atomic_load(&value);
        } else if (atomic_compare_exchange_strong(&value, &old, old | 2 | bit)) {
            return;
        }
    }
}

static void unlock(void) { atomic_fetch_sub(&value, 2); }

static void *work(void *unused) {
    struct callback own;
    atomic_init(&own.is_done, 0);
    lock(0);
    if (atomic_load(&value) & 1) {
        unlock();
        return unused;
    }
    registered = &own;
    unlock();
    lock(0);
    int is_mine = registered == &own;
    registered = is_mine ? NULL : registered;
    unlock();
    while (!is_mine && !atomic_load(&own.is_done))
        sched_yield();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    lock(1);
    struct callback *callback = registered;
    registered = NULL;
    unlock();
    if (callback)
        atomic_store(&callback->is_done, 1);
    pthread_join(thread, NULL);
}
