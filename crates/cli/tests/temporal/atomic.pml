// p: holds
// p fair: holds
// q: violated
// q fair: violated
// r: violated
// r fair: violated
byte x;
active proctype P() { do :: atomic { x = 1; x = 2; x = 0 } od }
ltl p { [] (x != 1) }
ltl q { [] <> (x == 2) }
ltl r { [] <> (x == 3) }
