/* expect: violated deadlock, states 1, transitions 1 */
/* if blocks as long as none of its options is executable. */
byte x;
active proctype p() {
    if
    :: x == 1
    :: x == 2 -> skip
    fi
}
