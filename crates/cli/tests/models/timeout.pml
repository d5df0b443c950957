/* expect: holds, states 11, transitions 11 */
/* timeout is true when nobody can do anything else. */
byte x;
active proctype p() {
    do
    :: x < 2 -> x++
    :: timeout -> break
    od;
    assert(x == 2)
}
active proctype q() { x == 2; x == 2 }
