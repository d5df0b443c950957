/* Performs what its arguments say, one thread for each: letters for operations, digits for what they
 * are about. The interpreter of the random programs. The first argument is a file; which operations
 * were performed is noted in it. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST 4

static atomic_int x[MOST];
static _Atomic uint8_t narrow[MOST];
static _Atomic uint64_t wide[MOST];
static atomic_flag flag[MOST];
static _Atomic(int *) block[MOST];
static int plain[MOST] __attribute__((aligned(8)));
static int once_done;
static pthread_mutex_t mutex[MOST], recursive[MOST];
static pthread_rwlock_t rwlock[MOST];
static pthread_cond_t condition[MOST];
static pthread_barrier_t barrier[MOST];
static pthread_spinlock_t spinlock[MOST];
static pthread_once_t once[MOST] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static pthread_key_t key;
static sem_t semaphore[MOST];
/* A lock that may be given back while others use it. */
static _Atomic(pthread_mutex_t *) lent[MOST];

static const memory_order orders[] = {memory_order_relaxed, memory_order_acquire, memory_order_release,
                                      memory_order_acq_rel, memory_order_seq_cst};
/* Time stands still: it runs out whenever what is waited for is not there. */
static const struct timespec limit = {4000000000, 0};

/* A bit for each letter; shared with who explores, and no part of the program. */
#define WORDS 2
extern uint64_t *performed;
void note(char letter);

struct pair {
    long first, second;
};
static struct pair pair[MOST];

static long sum(struct pair given) { return given.first + given.second; }

static struct pair made(long first) {
    struct pair made = {first, 1};
    return made;
}

static void initialize(void) { once_done++; }

static void *child(void *number) {
    atomic_fetch_add(&x[(intptr_t)number], 1);
    return NULL;
}

static void *plain_child(void *number) {
    plain[(intptr_t)number]++;
    return NULL;
}

static void *thread(void *text) {
    int held[MOST] = {0}, reading[MOST] = {0}, spinning[MOST] = {0}, depth[MOST] = {0}, seen = 0;
    pthread_t started;
    for (const char *at = text; *at; at += 3) {
        int i = (at[1] - '0') % MOST, v = at[2] - '0';
        memory_order order = orders[v % 5];
        memory_order load = v % 5 == 2 || v % 5 == 3 ? memory_order_acquire : order;
        memory_order store = v % 5 == 1 || v % 5 == 3 ? memory_order_release : order;
        int expected = v % 2, value = 0, *taken;
        uint64_t both;
        pthread_mutex_t *borrowed;
        /* What has a condition is nothing without it. */
        int is_possible = 1;
        switch (at[0]) {
        case 'i': is_possible = seen; break;
        case 'L': case 'T': case 'j': case '|': is_possible = !held[i]; break;
        case 'U': case 'k': case 'h': case '&': is_possible = held[i]; break;
        case 'R': case 'W': case 'r': case 'q': case 'y': is_possible = !reading[i]; break;
        case 'Q': is_possible = reading[i]; break;
        case 'S': case 'I': is_possible = !spinning[i]; break;
        case 'Z': is_possible = spinning[i]; break;
        case 'm': is_possible = depth[i]; break;
        }
        if (!is_possible) continue;
        /* No operation: it ends the execution, and what comes after it tells it from others. */
        if (at[0] == '?') {
            if (seen % 3 == v % 3) __assert_fail(at, __FILE__, __LINE__, __func__);
            continue;
        }
        note(at[0]);
        switch (at[0]) {
        case 'l': seen += atomic_load_explicit(&x[i], load); break;
        case 's': atomic_store_explicit(&x[i], v % 3, store); break;
        case 'x': seen += atomic_exchange_explicit(&x[i], 1, order); break;
        case 'f': seen += atomic_fetch_add_explicit(&x[i], 1, order); break;
        case 'd': seen += atomic_fetch_sub_explicit(&x[i], 1, order); break;
        case 'c': seen += atomic_compare_exchange_strong_explicit(&x[i], &expected, 1, order, load); break;
        case 'K': seen += atomic_compare_exchange_weak_explicit(&x[i], &expected, 2, order, load); break;
        case 'o': seen += atomic_fetch_or_explicit(&x[i], 1, order); break;
        case 'A': seen += atomic_fetch_and_explicit(&x[i], 2, order); break;
        case 'X': seen += atomic_fetch_xor_explicit(&x[i], 3, order); break;
        case 't': seen += atomic_flag_test_and_set_explicit(&flag[i], order); break;
        case 'C': atomic_flag_clear_explicit(&flag[i], store); break;
        case 'g': seen += atomic_fetch_add_explicit(&narrow[i], 1, order); break;
        case 'G': seen += (int)atomic_exchange_explicit(&wide[i], (uint64_t)v, order); break;
        case 'a': atomic_thread_fence(order); break;
        case 'p': seen += plain[i]; break;
        case 'w': plain[i] = v; break;
        case 'i': plain[i]++; break;
        case 'D': memset(&plain[i], v, 2); break;
        case '{': seen += (int)sum(pair[i]); break;
        case '}': pair[i] = made(v); break;
        case 'L': pthread_mutex_lock(&mutex[i]); held[i] = 1; break;
        case 'T': held[i] = pthread_mutex_trylock(&mutex[i]) == 0; seen += held[i]; break;
        case 'j': held[i] = pthread_mutex_timedlock(&mutex[i], &limit) == 0; seen += held[i]; break;
        case 'U': held[i] = 0; pthread_mutex_unlock(&mutex[i]); break;
        case 'M': pthread_mutex_lock(&recursive[i]); depth[i]++; break;
        case 'm': depth[i]--; pthread_mutex_unlock(&recursive[i]); break;
        case 'R': pthread_rwlock_rdlock(&rwlock[i]); reading[i] = 1; break;
        case 'W': pthread_rwlock_wrlock(&rwlock[i]); reading[i] = 1; break;
        case 'r': reading[i] = pthread_rwlock_tryrdlock(&rwlock[i]) == 0; seen += reading[i]; break;
        case 'q': reading[i] = pthread_rwlock_trywrlock(&rwlock[i]) == 0; seen += reading[i]; break;
        case 'y': reading[i] = pthread_rwlock_timedrdlock(&rwlock[i], &limit) == 0; seen += reading[i]; break;
        case 'Q': reading[i] = 0; pthread_rwlock_unlock(&rwlock[i]); break;
        case 'S': pthread_spin_lock(&spinlock[i]); spinning[i] = 1; break;
        case 'I': spinning[i] = pthread_spin_trylock(&spinlock[i]) == 0; seen += spinning[i]; break;
        case 'Z': spinning[i] = 0; pthread_spin_unlock(&spinlock[i]); break;
        case 'P': sem_post(&semaphore[i]); break;
        case 'V': sem_wait(&semaphore[i]); break;
        case 'v': seen += sem_trywait(&semaphore[i]) == 0; break;
        case 'e': seen += sem_timedwait(&semaphore[i], &limit) == 0; break;
        case 'z': sem_getvalue(&semaphore[i], &value); seen += value; break;
        case 'n': pthread_cond_signal(&condition[i]); break;
        case 'b': pthread_cond_broadcast(&condition[i]); break;
        case 'k': pthread_cond_wait(&condition[i], &mutex[i]); break;
        case 'h': seen += pthread_cond_timedwait(&condition[i], &mutex[i], &limit) == 0; break;
        case 'B': seen += pthread_barrier_wait(&barrier[i]) != 0; break;
        case 'O': pthread_once(&once[i], initialize); break;
        case 'u': pthread_setspecific(key, &plain[i]); seen += pthread_getspecific(key) == &plain[0]; break;
        case 'Y': sched_yield(); break;
        case 'J':
            pthread_create(&started, NULL, child, (void *)(intptr_t)i);
            pthread_join(started, NULL);
            break;
        case 'E':
            pthread_create(&started, NULL, child, (void *)(intptr_t)i);
            pthread_detach(started);
            break;
        case 'H':
            taken = malloc(sizeof *taken);
            *taken = v;
            free(atomic_exchange_explicit(&block[i], taken, order));
            break;
        case 'F':
            taken = atomic_exchange_explicit(&block[i], NULL, order);
            if (taken) seen += *taken;
            free(taken);
            break;
        case 'N':
            taken = atomic_load_explicit(&block[i], load);
            if (taken) seen += *taken;
            break;
        case '_': free(atomic_load_explicit(&block[i], load)); break;
        case ']':
            borrowed = atomic_load_explicit(&lent[i], load);
            if (!borrowed) break;
            pthread_mutex_lock(borrowed);
            pthread_mutex_unlock(borrowed);
            break;
        case '^': free(atomic_exchange_explicit(&lent[i], NULL, order)); break;
        /* Loops that wait for several objects. */
        case '`':
            while (!atomic_load_explicit(&x[i], load) && !atomic_load_explicit(&x[i ^ 1], load)) {}
            break;
        case '[':
            while (!atomic_load(&x[i]) && !atomic_load_explicit(&x[i ^ 1], load) && !atomic_load(&narrow[i])) {}
            break;
        case '|':
            while (!(held[i] = pthread_mutex_trylock(&mutex[i]) == 0) && !atomic_load_explicit(&x[i], load)) {}
            seen += held[i];
            break;
        case '~':
            while (sem_trywait(&semaphore[i]) != 0 && !atomic_load_explicit(&x[i], load)) {}
            break;
        case '\\':
            expected = 0;
            while (!atomic_compare_exchange_strong_explicit(&x[i], &expected, 1, order, load) &&
                   !atomic_load_explicit(&x[i ^ 1], load))
                expected = 0;
            break;
        case '=':
            while (!atomic_load_explicit(&x[i], load)) sched_yield();
            break;
        case '&':
            while (!atomic_load_explicit(&x[i], load)) pthread_cond_wait(&condition[i], &mutex[i]);
            break;
        /* Memory that is atomic for others, of another size for others, or meant in two ways. */
        case '!': seen += *(int *)&x[i]; break;
        case '#': *(int *)&x[i] = v % 3; break;
        case '$': memcpy(&plain[i], &plain[i ^ 1], sizeof *plain); break;
        case '%':
            memcpy(&both, &plain[i & ~1], sizeof both);
            seen += both != 0;
            break;
        case '+':
            pthread_create(&started, NULL, plain_child, (void *)(intptr_t)i);
            pthread_detach(started);
            break;
        default: abort();
        }
    }
    for (int i = 0; i < MOST; i++) {
        if (held[i]) pthread_mutex_unlock(&mutex[i]);
        if (reading[i]) pthread_rwlock_unlock(&rwlock[i]);
        if (spinning[i]) pthread_spin_unlock(&spinlock[i]);
        while (depth[i]--) pthread_mutex_unlock(&recursive[i]);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[8];
    pthread_mutexattr_t again;
    /* Memory that is shared with other processes is inconclusive: this is not the program's. */
    performed = (void *)syscall(SYS_mmap, NULL, WORDS * sizeof *performed, PROT_READ | PROT_WRITE, MAP_SHARED, open(words[1], O_RDWR), 0L);
    if (performed == MAP_FAILED) return 1;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_key_create(&key, NULL);
    for (int i = 0; i < MOST; i++) {
        pthread_mutex_init(&mutex[i], NULL);
        pthread_mutex_init(&recursive[i], &again);
        pthread_rwlock_init(&rwlock[i], NULL);
        pthread_cond_init(&condition[i], NULL);
        pthread_barrier_init(&barrier[i], NULL, 2);
        pthread_spin_init(&spinlock[i], PTHREAD_PROCESS_PRIVATE);
        sem_init(&semaphore[i], 0, i % 2);
    }
    /* Only who uses them has them: they are memory that can be lost. */
    for (int i = 2; i < count; i++) {
        for (const char *at = words[i]; *at; at += 3) {
            int which = (at[1] - '0') % MOST;
            if ((at[0] != ']' && at[0] != '^') || atomic_load(&lent[which])) continue;
            pthread_mutex_t *made = malloc(sizeof *made);
            pthread_mutex_init(made, NULL);
            atomic_store(&lent[which], made);
        }
    }
    for (int i = 2; i < count; i++) pthread_create(&threads[i], NULL, thread, words[i]);
    for (int i = 2; i < count; i++) pthread_join(threads[i], NULL);
    return 0;
}
