/* expect: violated data-race */
/* The environment is not protected: who reads it while another thread changes it is in a race. */
#include <pthread.h>
#include <stdlib.h>

static void *sets(void *unused) {
    setenv("MAZURKA_TEST", "1", 1);
    return unused;
}

int main(void) {
    pthread_t one;
    pthread_create(&one, NULL, sets, NULL);
    char *found = getenv("MAZURKA_TEST");
    pthread_join(one, NULL);
    return found && found[0] == '2';
}
