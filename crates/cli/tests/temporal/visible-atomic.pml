// p: violated, the second step of an atomic sequence is seen
bit g;
byte x;
active proctype A() { byte l; atomic { l = 1; x = 1 } }
active proctype B() { g = 1; g = 0 }
ltl p { [] !(g == 1 && x == 0) }
