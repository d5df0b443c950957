// p: holds
// p fair: holds
// q: holds
// q fair: holds
byte x;
active proctype P() { do :: timeout -> x = 1 - x od }
active proctype Q() { x == 1; x == 0 }
ltl p { [] <> (x == 1) }
ltl q { <> (x == 1) }
