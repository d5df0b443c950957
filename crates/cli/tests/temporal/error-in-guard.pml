// misled: not decided, neither branch is taken by who cannot say which
// other: not decided
// stops: not decided, the state before an error does not last
// stops fair: not decided
// reached: violated
byte x, z, i; byte a[2];
active proctype P() {
    x = 1;
    if :: 5 / z == 1 -> x = 2 :: else -> x = 3 fi;
    x = 4
}
active proctype Q() {
    i = 2;
    if :: a[i] == 0 -> x = 5 :: else -> x = 6 fi
}
ltl misled { [] (x != 2 && x != 3) }
ltl other { [] (x != 5 && x != 6) }
ltl stops { <> (x == 4) }
ltl reached { [] (x != 1) }
