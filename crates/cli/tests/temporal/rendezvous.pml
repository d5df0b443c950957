// p: holds
// p fair: holds
// q: holds
// q fair: holds
// r: holds
// r fair: holds
chan c = [0] of { byte }; byte x, y;
active proctype P() { do :: c!1; x = 1 - x od }
active proctype Q() { byte z; do :: c?z; y = 1 - y od }
ltl p { [] <> (x == 1) }
ltl q { [] <> (y == 1) }
ltl r { [] ((x == 1) -> <> (x == 0)) }
