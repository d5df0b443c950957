byte x, t; bool stop;
active proctype A() { do :: atomic { x = 1; x = 0 } od }
active proctype B() { t = 1; t = 2; assert(t != 2) }
active proctype C() { byte n; do :: n = (n + 1) % 3 :: stop -> break od }
