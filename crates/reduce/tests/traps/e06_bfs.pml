byte x, y;
active proctype A() { do :: x = 0 od }
active proctype B() { y = 1; assert(false) }
