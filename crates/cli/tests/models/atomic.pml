/* expect: holds, states 7, transitions 9 */
/* An atomic sequence is not interrupted as long as it does not block. */
byte x;
active [2] proctype p() {
    atomic {
        x++;
        assert(x == 1);
        x--
    }
}
