// p: violated, at once, though the claim could also go on and wait for z
byte x = 1, y = 1, z;
active proctype A() { byte l; l = 1; l = 2 }
active proctype B() { byte m; m = 1; m = 2; x = 0 }
ltl p { !(x == 1) && !((y == 1) U (z == 1)) }
