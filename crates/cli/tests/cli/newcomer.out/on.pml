byte x;
active proctype P() { x++; assert(x == 2); x++; x++ }
