// p: violated
// p fair: holds
// q: violated
// q fair: holds
byte x; 
active proctype P() { atomic { x = 1; (x == 2); x = 3 }; do :: x = 3 - x od }
active proctype Q() { do :: x == 1 -> x = 2 :: x == 2 -> skip :: x == 0 -> skip od }
ltl p { <> (x == 3) }
ltl q { [] <> (x == 0) }
