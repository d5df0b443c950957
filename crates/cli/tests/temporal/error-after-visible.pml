// seen: violated, the last state before the error is seen
// bounded: not decided
/* The division is local: it must not be made one step with the assignment before it. */
byte g;
active proctype P() { byte l, z; g = 1; l = 5 / z; l = 1 }
active proctype Q() { byte n; do :: n < 3 -> n++ :: else -> break od }
ltl seen { [] (g == 0) }
ltl bounded { [] (g < 2) }
