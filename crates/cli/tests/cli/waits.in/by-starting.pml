byte x, y;
proctype W() { x = 1 }
active proctype A() { x == 1; y = 1 }
active proctype B() { y == 1; run W() }
