byte x, y, z;
active proctype P() { (1 / x) == 1 }
active proctype Q() { timeout -> y = 1; assert(false) }
active proctype R() { z = 1; z = 2; z == 3 }
