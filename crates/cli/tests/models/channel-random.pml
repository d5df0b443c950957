/* expect: holds, states 11, transitions 11 */
/* ?? takes the first message that matches, wherever it is. */
chan c = [3] of { byte, byte };
active proctype p() {
    byte x;
    c!1,5; c!2,6; c!2,7;
    c??2,x; assert(x == 6);
    c??1,x; assert(x == 5);
    c?2,x; assert(x == 7 && empty(c))
}
