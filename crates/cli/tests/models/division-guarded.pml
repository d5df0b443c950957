/* expect: holds, states 5, transitions 5 */
/* A division that is never made does no harm. */
byte zero, x = 4;
active proctype p() {
    if
    :: zero > 0 -> x = x / zero
    :: else -> x = x / 2
    fi;
    assert(x == 2)
}
