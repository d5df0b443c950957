/* expect: holds, states 13, transitions 13 */
/* The escape of an unless is taken as soon as it is executable. */
byte x;
active proctype p() {
    { do :: x < 10 -> x++ od } unless { x == 4 -> skip };
    assert(x == 4)
}
