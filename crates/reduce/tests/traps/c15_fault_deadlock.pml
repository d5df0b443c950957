byte x, y;
active proctype P() { (1 / x) == 1 }
active proctype Q() { y = 1; y == 2 }
