/* Dining philosophers: as many as the first argument says, three by default. Each takes the fork
 * to his left and then the one to his right; with a second argument, the lower one first. */
#include <stdlib.h>
#include "mazurka.h"

static int number;
static mazurka_mutex forks[16];

static void dine(void *at) {
    int left = (int)(intptr_t)at, right = (left + 1) % number;
    mazurka_lock(forks[left]);
    mazurka_lock(forks[right]);
    mazurka_unlock(forks[right]);
    mazurka_unlock(forks[left]);
}

static void dine_in_order(void *at) {
    int left = (int)(intptr_t)at, right = (left + 1) % number;
    int low = left < right ? left : right, high = left < right ? right : left;
    mazurka_lock(forks[low]);
    mazurka_lock(forks[high]);
    mazurka_unlock(forks[high]);
    mazurka_unlock(forks[low]);
}

int main(int argc, char **argv) {
    number = argc > 1 ? atoi(argv[1]) : 3;
    if (number < 2 || number > 16)
        return 2;
    for (int i = 0; i < number; i++)
        forks[i] = mazurka_mutex_create(NULL);
    for (int i = 0; i < number; i++)
        mazurka_spawn(NULL, argc > 2 ? dine_in_order : dine, (void *)(intptr_t)i);
    return 0;
}
