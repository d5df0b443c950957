// bounded: not decided, what comes after the division nobody can say
// early: holds, whatever comes
// late: not decided
// wrong: violated, before the error
// bounded fair: not decided
// late fair: not decided
// acceptance: not decided
// progress: not decided
byte x, z;
active proctype P() { x = 1; x = 5 / z; x = 2 }
ltl bounded { [] (x <= 3) }
ltl early { <> (x == 1) }
ltl late { <> (x == 2) }
ltl wrong { [] (x == 0) }
