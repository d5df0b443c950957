/* expect: holds, states 7, transitions 7 */
/* Arrays, with a common initial value. */
byte a[4] = 7;
short b[2];
active proctype p() {
    byte i = 1;
    a[i] = 3;
    b[1] = 3;
    a[b[i]] = 4;
    b[i - 1] = -5;
    assert(a[0] == 7 && a[1] == 3 && a[3] == 4 && b[0] == -5 && b[1] == 3)
}
