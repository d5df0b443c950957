// safety: violated, once
// bounded: not decided
// early: holds
// wrong: violated
byte x, z;
active proctype P() { x = 1; x = 5 / z; x = 2 }
ltl bounded { [] (x <= 3) }
ltl early { <> (x == 1) }
ltl wrong { [] (x == 0) }
