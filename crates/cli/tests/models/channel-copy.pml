/* expect: holds, states 9, transitions 9 */
/* ?<x> leaves the message in the channel; so does ??<x>. */
chan c = [2] of { byte };
active proctype p() {
    byte x, y;
    c!1; c!2;
    c?<x>;
    c??<y>;
    assert(x == 1 && y == 1 && len(c) == 2);
    c??<2>;
    assert(len(c) == 2)
}
