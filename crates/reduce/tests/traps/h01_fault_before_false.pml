/* The guard of Q is false because of y, and would be wrong with x = 0 as long as z is 0. */
byte x = 1, z, y;
active proctype P() { z = 1 }
active proctype R() { x = 0 }
active proctype Q() { end: (10 / (x + z) > 0 && y == 1) -> y = 0 }
