/* expect: holds, states 6, transitions 6 */
/* && and || do not look at their right side when the left one decides. */
byte zero, x;
active proctype p() {
    assert(!(zero != 0 && 5 / zero > 0));
    assert(zero == 0 || 5 / zero > 0);
    x = (1 || 0) + (2 && 2);
    assert(x == 2)
}
