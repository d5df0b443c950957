/* expect: holds, states 14, transitions 14 */
/* Bit operations, shifts, precedence. */
int x;
active proctype p() {
    x = 6 & 3 | 8; assert(x == 10);
    x = 5 ^ 1; assert(x == 4);
    x = 1 << 3 + 1; assert(x == 16);
    x = ~0; assert(x == -1);
    x = 2 + 3 * 4 - 6 / 2 % 2; assert(x == 13);
    x = -3; assert(x < 0 && !(x == 0))
}
