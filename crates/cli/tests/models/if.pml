/* expect: holds, states 8, transitions 8 */
/* if takes any of its executable options. */
byte x, y;
active proctype p() {
    if
    :: x = 1
    :: x = 2; y = 1
    :: y == 1 -> x = 3
    fi;
    assert(x == 1 || x == 2)
}
