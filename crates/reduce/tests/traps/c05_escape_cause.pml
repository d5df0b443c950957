byte x, y, e;
active proctype W() { y = 1 }
active proctype T() { { x == 1; assert(y == 1) } unless { e == 1 } }
active proctype Q() { x = 1 }
