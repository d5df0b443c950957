// bounded: not decided
// zero: violated
// guarded: not decided
/* An element that is not there reads as 0 elsewhere; here the execution is over. */
byte x, i; byte a[2];
active proctype P() {
    do :: i < 4 -> i++ :: else -> break od;
    x = 1;
    x = 2 + a[i];
    x = 9
}
ltl bounded { [] (x < 9) }
ltl zero { [] (x == 0) }
ltl guarded { [] (i == 4 -> <> (x == 9)) }
