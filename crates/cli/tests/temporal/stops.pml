// p: violated
// p fair: violated, unlike SPIN: the system stops
// q: holds
// q fair: holds
// r: violated
// r fair: violated
byte x;
active proctype P() { if :: x = 1 :: x = 2 fi; false }
ltl p { <> [] (x == 1) }
ltl q { [] <> (x > 0) }
ltl r { [] (x == 0) }
