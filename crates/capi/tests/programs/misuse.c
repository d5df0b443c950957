/* Unlocks what it does not hold. */
#include "mazurka.h"

int main(void) {
    mazurka_mutex mutex = mazurka_mutex_create("mutex");
    mazurka_unlock(mutex);
    return 0;
}
