/* expect: holds, states 17, transitions 27 */
/* A handshake as escape. */
chan stop = [0] of { bit };
byte x;
active proctype p() {
    { do :: x < 2 -> x++ :: x == 2 -> x = 0 od } unless { stop?1 -> x = 9 };
    assert(x == 9)
}
active proctype q() { stop!1 }
