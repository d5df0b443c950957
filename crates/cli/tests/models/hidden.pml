/* expect: holds, states 9, transitions 10 */
/* hidden variables do not tell states apart. */
hidden byte scratch;
byte x;
active proctype p() {
    do
    :: x < 2 -> scratch = x + 7; x++
    :: x == 2 -> scratch = 0; x = 0
    od
}
