/* expect: violated assertion, states 12, transitions 17 */
/* else is executable when no other option is; a step later it may be otherwise. */
byte x;
active proctype p() {
    if
    :: x > 0 -> assert(x == 1)
    :: else -> assert(x == 0)
    fi
}
active proctype q() { x = 1 }
