/* Performs what its arguments say, one thread for each: letters for operations, digits for what they
 * are about. The interpreter of the random programs. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4

static atomic_int x[MOST];
static int plain[MOST];
static pthread_mutex_t mutex[MOST];
static pthread_rwlock_t rwlock[MOST];
static pthread_cond_t condition[MOST];
static sem_t semaphore[MOST];

static const memory_order orders[] = {memory_order_relaxed, memory_order_acquire, memory_order_release,
                                      memory_order_acq_rel, memory_order_seq_cst};

static void *thread(void *text) {
    int held[MOST] = {0}, reading[MOST] = {0}, seen = 0;
    for (const char *at = text; *at; at += 3) {
        int i = (at[1] - '0') % MOST, v = at[2] - '0';
        memory_order order = orders[v % 5];
        memory_order load = v % 5 == 2 || v % 5 == 3 ? memory_order_acquire : order;
        memory_order store = v % 5 == 1 || v % 5 == 3 ? memory_order_release : order;
        int expected = 0;
        switch (at[0]) {
        case 'l': seen += atomic_load_explicit(&x[i], load); break;
        case 's': atomic_store_explicit(&x[i], v % 3, store); break;
        case 'x': seen += atomic_exchange_explicit(&x[i], 1, order); break;
        case 'f': seen += atomic_fetch_add_explicit(&x[i], 1, order); break;
        case 'c': seen += atomic_compare_exchange_strong_explicit(&x[i], &expected, 1, order, load); break;
        case 'o': seen += atomic_fetch_or_explicit(&x[i], 1, order); break;
        case 'a': atomic_thread_fence(order); break;
        case 'p': seen += plain[i]; break;
        case 'w': plain[i] = v; break;
        case 'i': if (seen) plain[i]++; break;
        case 'L': if (!held[i]) { pthread_mutex_lock(&mutex[i]); held[i] = 1; } break;
        case 'T': if (!held[i]) { held[i] = pthread_mutex_trylock(&mutex[i]) == 0; seen += held[i]; } break;
        case 'U': if (held[i]) { held[i] = 0; pthread_mutex_unlock(&mutex[i]); } break;
        case 'R': if (!reading[i]) { pthread_rwlock_rdlock(&rwlock[i]); reading[i] = 1; } break;
        case 'W': if (!reading[i]) { pthread_rwlock_wrlock(&rwlock[i]); reading[i] = 1; } break;
        case 'Q': if (reading[i]) { reading[i] = 0; pthread_rwlock_unlock(&rwlock[i]); } break;
        case 'P': sem_post(&semaphore[i]); break;
        case 'V': sem_wait(&semaphore[i]); break;
        case 'v': seen += sem_trywait(&semaphore[i]) == 0; break;
        case 'n': pthread_cond_signal(&condition[i]); break;
        case 'b': pthread_cond_broadcast(&condition[i]); break;
        case 'k': if (held[i]) pthread_cond_wait(&condition[i], &mutex[i]); break;
        }
    }
    for (int i = 0; i < MOST; i++) {
        if (held[i]) pthread_mutex_unlock(&mutex[i]);
        if (reading[i]) pthread_rwlock_unlock(&rwlock[i]);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[8];
    for (int i = 0; i < MOST; i++) {
        pthread_mutex_init(&mutex[i], NULL);
        pthread_rwlock_init(&rwlock[i], NULL);
        pthread_cond_init(&condition[i], NULL);
        sem_init(&semaphore[i], 0, i % 2);
    }
    for (int i = 1; i < count; i++) pthread_create(&threads[i], NULL, thread, words[i]);
    for (int i = 1; i < count; i++) pthread_join(threads[i], NULL);
    return 0;
}
