/* expect: holds, states 13, transitions 19 */
/* A goto out of an atomic sequence gives up control, one within it does not. */
byte x;
active [2] proctype p() {
    atomic {
        x++;
        if
        :: x < 3 -> goto inside
        :: else -> goto outside
        fi;
inside: x++; x--
    };
outside:
    skip
}
