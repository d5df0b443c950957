/* expect: holds, states 11, transitions 11 */
/* !! puts a message in its place by value. */
chan c = [3] of { byte, byte };
active proctype p() {
    byte x, y;
    c!!2,1; c!!1,9; c!!2,0;
    c?x,y; assert(x == 1 && y == 9);
    c?x,y; assert(x == 2 && y == 0);
    c?x,y; assert(x == 2 && y == 1)
}
