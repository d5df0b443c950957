byte x = 1, y; bool b;
active proctype A() { b = b + 1; b = b - 1 }
active proctype B() { b == 1; assert(y == 1) }
active proctype C() { y = y + 1; y = y - 1; y = 255; y++ }
active proctype D() { (y > 254) -> assert(b == 0) }
