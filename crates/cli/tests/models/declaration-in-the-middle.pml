/* expect: holds, states 6, transitions 6 */
/* Variables of the whole process may be declared anywhere. */
byte seen;
active proctype p() {
    byte x = 1;
    x++;
    byte y = x + 1;
    seen = y;
    assert(seen == 3)
}
