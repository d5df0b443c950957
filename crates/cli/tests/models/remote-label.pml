/* expect: violated deadlock, states 14, transitions 18 */
/* p[i]@label tells where another process is; who looks too late waits for ever. */
byte x;
active proctype p() {
    x = 1;
here:
    x = 2;
    x = 3
}
active proctype q() { p[0]@here; assert(x == 1 || x == 2 || x == 3) }
