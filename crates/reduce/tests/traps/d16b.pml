byte y;
proctype P(byte x) provided (x == 1) { x = 1; y = 2; assert(false) }
init { run P(1) }
