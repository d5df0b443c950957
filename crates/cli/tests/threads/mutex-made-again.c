/* expect: violated data-race */
/* A mutex is made again while another thread may hold it. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *make_and_add(void *unused) {
  pthread_mutex_init(&lock, NULL);
  return add(unused);
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, add, NULL);
  pthread_create(&two, NULL, make_and_add, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
