byte a[2], y;
active proctype A() { a[1] == 1; y = 1 }
active proctype B() { byte k; y == 1; k = 1; a[k] = 1 }
active proctype C() { y == 1; a[1] = 1 }
