// p: violated
// p fair: holds
// q: violated
// q fair: holds
// r: violated
// r fair: violated
byte x; 
active proctype P() { { do :: x = 1 - x od } unless { x == 1 -> x = 5 } }
active proctype Q() { do :: x < 2 -> skip :: x == 5 -> x = 6 od }
ltl p { <> (x == 5) }
ltl q { <> (x == 6) }
ltl r { [] (x != 6) }
