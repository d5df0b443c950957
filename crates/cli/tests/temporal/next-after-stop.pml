// p: violated, the third state is the second again
// q: holds
byte x;

active proctype P() { x = 1; end: x == 5 }

ltl p { X X X (x == 5) }
ltl q { X X X (x == 1) }
