/* expect: violated runtime-error */
/* One thread is joined, and another detaches it. */
#include <pthread.h>
#include <stddef.h>
static pthread_t worker;
static void *work(void *_) { return _; }
static void *leaves(void *_) {
  pthread_detach(worker);
  return _;
}
int main(void) {
  pthread_t other;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&other, NULL, leaves, NULL);
  pthread_join(worker, NULL);
  pthread_join(other, NULL);
}
