// f: violated
// g: violated
/* The receiver belongs to the atomic step, and writes what the formulas look at. */
byte x, y;
chan c = [0] of { byte };
active proctype P() { byte l; atomic { l = 1; c!1 } }
active proctype Q() { c?x }
active proctype R() { y = 1 }
ltl f { [] !(x == 0 && y == 1) }
ltl g { !((x == 0) U (y == 1)) }
