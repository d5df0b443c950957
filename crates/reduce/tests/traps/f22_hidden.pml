hidden byte h; byte y;
active proctype A() { h = 1; y = 1 }
active proctype B() { h == 1; assert(y == 1) }
