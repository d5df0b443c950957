/* The condition on its execution goes wrong while the guard is false. */
byte x = 1, z, y;
active proctype P() { z = 1 }
active proctype R() { x = 0 }
active proctype Q() provided (10 / (x + z) > 0) { end: y == 1 -> y = 0 }
