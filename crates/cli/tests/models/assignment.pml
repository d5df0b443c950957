/* expect: holds, states 8, transitions 8 */
/* Assignment, increment and decrement; a byte wraps around. */
byte a = 255, b;
short s = 32767;
active proctype p() {
    a++;
    assert(a == 0);
    b--;
    assert(b == 255);
    s = s + 1;
    assert(s == -32768)
}
