/* expect: holds, states 8, transitions 8 */
/* A name declared in a block is known in that block only. */
active proctype p() {
    { byte x = 3; assert(x == 3) };
    { byte x = 4; assert(x == 4) };
    byte x = 5;
    assert(x == 5)
}
