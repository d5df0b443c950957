/* expect: violated runtime-error */
/* One thread is joined by two others, in whatever order. */
#include <pthread.h>
#include <stddef.h>
static pthread_t worker;
static void *work(void *_) { return _; }
static void *waits(void *_) {
  pthread_join(worker, NULL);
  return _;
}
int main(void) {
  pthread_t other;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&other, NULL, waits, NULL);
  pthread_join(worker, NULL);
  pthread_join(other, NULL);
}
