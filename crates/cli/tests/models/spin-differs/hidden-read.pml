/* expect: violated assertion */
/* A hidden variable that is read tells states apart, unlike in SPIN: behind both assignments x == 1, and h decides. */
hidden byte h;
byte x;
active proctype P() {
    if :: h = 1 :: h = 2 fi;
    x = 1;
    assert(h != 2)
}
