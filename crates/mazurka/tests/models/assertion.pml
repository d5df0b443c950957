/* expect: violated assertion */
/* A failed assertion is reported and the path goes on. */
byte x;
active proctype p() {
    assert(x == 1);
    x = 1;
    assert(x == 1)
}
