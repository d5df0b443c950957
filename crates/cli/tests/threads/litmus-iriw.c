/* expect: holds */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

static atomic_int x, y;
static int a, b, c, d;

static void *write_x(void *unused) {
    x = 1;
    return unused;
}

static void *write_y(void *unused) {
    y = 1;
    return unused;
}

static void *read_xy(void *unused) {
    a = x;
    b = y;
    return unused;
}

static void *read_yx(void *unused) {
    c = y;
    d = x;
    return unused;
}

int main(void) {
    pthread_t t[4];
    pthread_create(&t[0], NULL, write_x, NULL);
    pthread_create(&t[1], NULL, write_y, NULL);
    pthread_create(&t[2], NULL, read_xy, NULL);
    pthread_create(&t[3], NULL, read_yx, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    pthread_join(t[3], NULL);
    assert(!(a && !b && c && !d));
    return 0;
}
