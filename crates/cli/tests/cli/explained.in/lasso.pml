byte x, n, k;
active proctype P() {
    do :: n < 3 -> n++ :: else -> break od;
    x = 1; x = 0;
    do :: k < 30 -> k++ :: else -> break od;
    do :: n = 5 :: n = 6 od
}
ltl no { [] (x == 0) }
ltl inf { [] ((x == 1) -> <> (k == 50)) }
