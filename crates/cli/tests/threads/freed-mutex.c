/* expect: violated data-race */
/* One thread gives a mutex back while another one may still use it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *lock;

static void *user(void *unused) {
  (void)unused;
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  return NULL;
}

int main(void) {
  lock = malloc(sizeof *lock);
  pthread_mutex_init(lock, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, user, NULL);
  free(lock);
  pthread_join(thread, NULL);
  return 0;
}
