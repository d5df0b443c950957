/* expect: violated assertion */
/* Two threads write to a stream in memory. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *stream;

static void *writes(void *letter) {
    fputs(letter, stream);
    return NULL;
}

int main(void) {
    char *text;
    size_t size;
    pthread_t one, two;
    stream = open_memstream(&text, &size);
    pthread_create(&one, NULL, writes, "a");
    pthread_create(&two, NULL, writes, "b");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    fclose(stream);
    assert(text[0] == 'a');
    return 0;
}
