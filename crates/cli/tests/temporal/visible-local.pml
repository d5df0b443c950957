// p: violated, a local variable that the formula reads is seen
bit g;
active proctype A() { byte l; l = 1 }
active proctype B() { g = 1; g = 0 }
ltl p { [] !(g == 1 && A:l == 0) }
