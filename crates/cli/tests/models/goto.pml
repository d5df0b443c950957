/* expect: holds, states 16, transitions 16 */
/* goto and labels, into and out of loops. */
byte x;
active proctype p() {
again:
    x++;
    if
    :: x < 3 -> goto again
    :: else -> goto out
    fi;
    assert(false);
out:
    do
    :: x > 0 -> x--; goto out
    :: x == 0 -> goto finish
    od;
finish:
    skip
}
