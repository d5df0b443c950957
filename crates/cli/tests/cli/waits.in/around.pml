unsigned x : 2; byte y;
active proctype A() { x = 1; x == 0; y = 1 }
active proctype B() { y == 1; x = x + 3 }
active proctype C() { y == 1; x = 4 }
