/* expect: holds, states 17, transitions 17 */
/* for over a range. */
byte i, sum;
active proctype p() {
    for (i : 1 .. 4) {
        sum = sum + i
    }
    assert(sum == 10 && i == 5)
}
