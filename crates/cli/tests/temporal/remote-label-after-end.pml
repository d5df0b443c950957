// p: violated
// p fair: holds
// q: violated
// q fair: violated
byte x;
active proctype P() { L: x = 1; x = 2 }
active proctype Q() { do :: x == 2 -> x = 0 :: x == 0 -> x = 2 od }
ltl p { <> [] !(P@L) }
ltl q { [] (P@L -> <> (x == 5)) }
