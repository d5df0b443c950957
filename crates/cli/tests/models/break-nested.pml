/* expect: holds, states 54, transitions 59 */
/* break leaves the inner loop only. */
byte x, y;
active proctype p() {
    do
    :: x < 2 ->
        x++;
        do
        :: y < 5 -> y++
        :: break
        od
    :: else -> break
    od
}
