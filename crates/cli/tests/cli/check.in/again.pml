byte x;
active proctype P() { assert(x == 0) }
active proctype Q() { x = 1; x = 2 }
