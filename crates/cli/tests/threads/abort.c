/* expect: violated crash */
#include <stdlib.h>

int main(void) {
    abort();
}
