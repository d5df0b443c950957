/* expect: holds, states 10, transitions 10 */
/* do repeats until break. */
byte x;
active proctype p() {
    do
    :: x < 3 -> x++
    :: x == 3 -> break
    od;
    assert(x == 3)
}
