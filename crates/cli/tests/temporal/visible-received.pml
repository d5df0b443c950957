// p: violated, what a receive stores is seen
chan c = [1] of { byte };
bit g;
byte x;
active proctype A() { c!1; c?x }
active proctype B() { g = 1; g = 0 }
ltl p { [] !(g == 1 && x == 0) }
