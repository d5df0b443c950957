/* Whether the division is made hangs on another variable. */
byte x, z = 1, y;
active proctype P() { x = 1 }
active proctype R() { z = 0 }
active proctype Q() { end: ((z == 1 || 10 / x > 0) && y == 1) -> y = 0 }
