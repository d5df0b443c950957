/* expect: inconclusive */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *player(void *number) {
    int mine = (int)(long)number;
    for (int round = 0; round < 2; round++) {
        pthread_mutex_lock(&mutex);
        while (turn != mine)
            pthread_cond_wait(&changed, &mutex);
        turn = !mine;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, player, (void *)0);
    pthread_create(&second, 0, player, (void *)1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(turn == 0);
    return 0;
}
