/* expect: holds, states 13, transitions 19 */
/* A d_step is one step, without states in between. */
byte x, i;
active [2] proctype p() {
    d_step {
        i = 0;
        do
        :: i < 3 -> i++; x++
        :: else -> break
        od
    }
    assert(x == 3 || x == 6)
}
