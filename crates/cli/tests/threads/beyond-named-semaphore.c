/* expect: inconclusive */
/* A semaphore of the system, which others may use too. */
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char name[64];
    snprintf(name, sizeof name, "/mazurka-test-%d", (int)getpid());
    sem_t *semaphore = sem_open(name, O_CREAT, 0600, 1);
    sem_unlink(name);
    return semaphore == SEM_FAILED;
}
