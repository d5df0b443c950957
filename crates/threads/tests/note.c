/* What the random programs note for who explores them: no part of the program, so it is compiled as it is. */
#include <stdint.h>

uint64_t *performed;

void note(char letter) {
    int bit = letter - '!';
    performed[bit / 64] |= UINT64_C(1) << bit % 64;
}
