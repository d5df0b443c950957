/* expect: holds, states 5, transitions 5 */
/* The conditional expression evaluates one branch only. */
byte x, zero;
active proctype p() {
    x = (zero == 0 -> 3 : 5 / zero);
    assert(x == 3);
    (x == 3 -> true : false)
}
