// p: violated
// p fair: violated
// q: holds
// q fair: holds
byte x; 
active proctype P() provided (x != 2) { do :: x = 1 - x od }
active proctype Q() { do :: x == 1 -> x = 2 :: x == 2 -> x = 0 od }
ltl p { [] <> (x == 2) }
ltl q { [] ((x == 2) -> <> (x == 0)) }
