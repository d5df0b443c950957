/* expect: violated assertion, states 23, transitions 30 */
/* A sequence that blocks gives up control, and takes it up again later. */
byte x, y;
active proctype p() {
    atomic { x = 1; y == 1; x = 2 };
    assert(x == 2)
}
active proctype q() { x == 1; y = 1; x = 3; assert(x == 2) }
