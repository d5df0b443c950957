/* expect: holds */
/* A name declared in a block is another one. */
byte x = 1;
active proctype p() {
    byte x = 2;
    {
        byte x = 3;
        assert(x == 3)
    };
    assert(x == 2)
}
