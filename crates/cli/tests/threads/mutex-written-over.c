/* expect: violated data-race */
/* A mutex is cleared while another thread may hold it. */
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *clear_and_add(void *unused) {
  memset(&lock, 0, sizeof lock);
  return add(unused);
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, add, NULL);
  pthread_create(&two, NULL, clear_and_add, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
