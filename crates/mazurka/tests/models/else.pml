/* expect: holds */
/* else is executable when no other option is. */
byte x;
active proctype p() {
    if
    :: x > 0 -> assert(x == 1)
    :: else -> assert(x == 0)
    fi
}
active proctype q() { x = 1 }
