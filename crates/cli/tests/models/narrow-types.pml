/* expect: holds, states 19, transitions 19 */
/* A value is cut to the width of the variable it goes to. */
bit b;
bool c;
byte n;
unsigned u : 3;
short s;
int i;
active proctype p() {
    b = 3; assert(b == 1);
    c = 2; assert(c == 0);
    n = 257; assert(n == 1);
    u = 13; assert(u == 5);
    s = 65537; assert(s == 1);
    i = 2147483647; i = i + 1; assert(i < 0);
    i = -7 / 2; assert(i == -3);
    i = -7 % 3; assert(i == -1)
}
