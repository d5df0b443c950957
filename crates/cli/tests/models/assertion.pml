/* expect: violated assertion, states 5, transitions 5 */
/* A failed assertion is reported and the path goes on. */
byte x;
active proctype p() {
    assert(x == 1);
    x = 1;
    assert(x == 1)
}
