/* expect: violated data-race */
/* The waiter gives everything back as soon as it is told, and the other thread still has to signal. */
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
  pthread_mutex_unlock(&task->lock);
  pthread_cond_signal(&task->done);
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
  free(task);
  pthread_join(thread, NULL);
  return 0;
}
