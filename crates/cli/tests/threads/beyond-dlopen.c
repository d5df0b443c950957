/* expect: inconclusive */
/* What a library does that is loaded later is not seen. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static double (*function)(double);

static void *work(void *unused) {
    function(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    function = (double (*)(double))dlsym(dlopen("libm.so.6", RTLD_NOW), "lgamma");
    if (!function) return 0;
    pthread_create(&thread, NULL, work, NULL);
    function(2);
    pthread_join(thread, NULL);
    return 0;
}
