// p: holds
// p fair: holds
// q: violated
// q fair: violated
byte x;
active proctype P() { do :: d_step { x = 1; x = 2; x = 0 } od }
ltl p { [] (x != 1) }
ltl q { [] <> (x == 2) }
