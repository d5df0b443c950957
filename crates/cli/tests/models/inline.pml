/* expect: holds, states 12, transitions 12 */
/* inline is expanded with its arguments. */
inline swap(a, b) {
    byte saved;
    saved = a; a = b; b = saved
}
byte x = 1, y = 2;
active proctype p() {
    swap(x, y);
    assert(x == 2 && y == 1);
    swap(x, y);
    assert(x == 1)
}
