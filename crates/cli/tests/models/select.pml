/* expect: holds, states 13, transitions 13 */
/* select takes any value of a range. */
byte x;
bool seen[4];
active proctype p() {
    select (x : 1 .. 3);
    seen[x] = true;
    assert(x >= 1 && x <= 3 && !seen[0])
}
