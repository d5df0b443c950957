/* expect: violated use-after-free */
#include <stdlib.h>

int main(void) {
    int *block = malloc(4);
    free(block);
    free(block);
    return 0;
}
