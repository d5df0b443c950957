/* expect: violated data-race */
#include <pthread.h>
#include <wchar.h>

static wchar_t text[] = L"abcdef";

static void *work(void *unused) {
    text[3] = L'x';
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    size_t length = wcslen(text);
    pthread_join(thread, NULL);
    return length != 6;
}
