/* expect: holds */
/* for over a range. */
byte i, sum;
active proctype p() {
    for (i : 1 .. 4) {
        sum = sum + i
    }
    assert(sum == 10 && i == 5)
}
