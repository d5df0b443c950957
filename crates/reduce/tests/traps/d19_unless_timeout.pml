byte x, y;
active proctype W() { y = 1 }
active proctype T() { { x == 1; assert(y == 1) } unless { timeout -> skip } }
active proctype Q() { x = 1 }
