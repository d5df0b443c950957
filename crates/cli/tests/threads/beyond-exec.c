/* expect: inconclusive */
/* The program becomes another one, which is not explored. */
#include <unistd.h>

int main(void) {
    execl("/bin/true", "true", (char *)NULL);
    return 0;
}
