byte y;
proctype P(byte x) provided (x != 0) { x = 2; y = 2; y = 3; assert(false) }
init { run P(1) }
