byte x, y;
active D_proctype A() { if :: x == 1 -> skip :: y == 0 -> skip fi }
active proctype B() { x = 1 }
