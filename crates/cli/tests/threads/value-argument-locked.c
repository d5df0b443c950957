/* expect: holds, executions 2 */
/* Structures of several sizes are passed and returned by value, under a lock. */
#include <assert.h>
#include <pthread.h>

struct small { char bytes[3]; };
struct pair { long first; double second; };
struct large { long words[40]; };
static struct small small;
static struct pair pair;
static struct large large;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct small more(struct small old) {
    old.bytes[1]++;
    return old;
}

static struct pair both(struct pair old) {
    old.first++;
    old.second += 0.5;
    return old;
}

static struct large all(struct large old) {
    for (int at = 0; at < 40; at++)
        old.words[at] += at;
    return old;
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    small = more(small);
    pair = both(pair);
    large = all(large);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(small.bytes[1] == 2 && pair.first == 2 && pair.second == 1.0 && large.words[39] == 78);
}
