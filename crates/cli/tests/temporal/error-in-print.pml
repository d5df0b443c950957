// done: not decided, what cannot be printed ends the execution
// early: violated
byte x, z;
active proctype P() { x = 1; printf("%d\n", 2 / z); x = 2 }
ltl done { <> (x == 2) }
ltl early { [] (x == 0) }
