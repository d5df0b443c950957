/* expect: inconclusive */
/* Another program is run. */
#include <stdlib.h>

int main(void) {
    return system("exit 0");
}
