byte x, spare;
active [2] proctype P() {
    x++;
    assert(x < 2)
}
