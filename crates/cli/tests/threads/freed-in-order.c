/* expect: holds */
/* The same task, signalled under its lock: whoever waits has the lock before it gives everything back. */
#include <pthread.h>
#include <stdlib.h>

struct task {
  pthread_mutex_t lock;
  pthread_cond_t done;
  int ready;
};

static void *worker(void *argument) {
  struct task *task = argument;
  pthread_mutex_lock(&task->lock);
  task->ready = 1;
  pthread_cond_signal(&task->done);
  pthread_mutex_unlock(&task->lock);
  return NULL;
}

int main(void) {
  struct task *task = malloc(sizeof *task);
  pthread_mutex_init(&task->lock, NULL);
  pthread_cond_init(&task->done, NULL);
  task->ready = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, worker, task);
  pthread_mutex_lock(&task->lock);
  while (!task->ready) pthread_cond_wait(&task->done, &task->lock);
  pthread_mutex_unlock(&task->lock);
  pthread_join(thread, NULL);
  free(task);
  return 0;
}
