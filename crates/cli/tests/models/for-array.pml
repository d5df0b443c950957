/* expect: holds, states 17, transitions 17 */
/* for over the indices of an array. */
byte a[3] = 2;
byte sum;
active proctype p() {
    byte i;
    for (i in a) {
        a[i] = a[i] + i;
        sum = sum + a[i]
    }
    assert(sum == 9)
}
