/* expect: holds under sequential-consistency */
/* The lock of Mellor-Crummey and Scott. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct place {
    _Atomic(struct place *) next;
    atomic_int waits;
};
static _Atomic(struct place *) last;
static int inside, counter;

static void enter(struct place *mine) {
    atomic_store_explicit(&mine->next, (struct place *)0, memory_order_relaxed);
    atomic_store_explicit(&mine->waits, 1, memory_order_relaxed);
    struct place *before = atomic_exchange_explicit(&last, mine, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&before->next, mine, memory_order_release);
    while (atomic_load_explicit(&mine->waits, memory_order_acquire))
        ;
}

static void leave(struct place *mine) {
    struct place *next = atomic_load_explicit(&mine->next, memory_order_acquire);
    if (!next) {
        struct place *expected = mine;
        if (atomic_compare_exchange_strong_explicit(&last, &expected, (struct place *)0, memory_order_release, memory_order_relaxed))
            return;
        while (!(next = atomic_load_explicit(&mine->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&next->waits, 0, memory_order_release);
}

static void *run(void *unused) {
    static __thread struct place mine;
    enter(&mine);
    assert(inside++ == 0);
    counter++;
    inside--;
    leave(&mine);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, run, 0);
    pthread_create(&two, 0, run, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(counter == 2);
    return 0;
}
