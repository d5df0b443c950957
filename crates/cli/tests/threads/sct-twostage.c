/* expect: violated assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* The second stage reads what the first has not finished. */
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first_data, second_data;

static void *write_both(void *unused) {
    pthread_mutex_lock(&first_lock);
    first_data = 1;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second_data = first_data + 1;
    pthread_mutex_unlock(&second_lock);
    return unused;
}

static void *read_both(void *unused) {
    pthread_mutex_lock(&first_lock);
    int first = first_data;
    pthread_mutex_unlock(&first_lock);
    if (first == 0) return unused;
    pthread_mutex_lock(&second_lock);
    int second = second_data;
    pthread_mutex_unlock(&second_lock);
    assert(second == first + 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, write_both, NULL);
    pthread_create(&threads[1], NULL, read_both, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
