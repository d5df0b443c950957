/* expect: holds, states 7, transitions 7 */
/* The outer escape comes before the inner one. */
byte x, how;
active proctype p() {
    {
        { x = 1; x = 2; x = 3 } unless { x == 2 -> how = 1 }
    } unless { x == 2 -> how = 2 };
    assert(how == 2)
}
