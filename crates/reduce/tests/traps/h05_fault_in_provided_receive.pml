/* The condition on its execution goes wrong while there is nothing to receive. */
chan c = [1] of { byte };
byte x = 1, z;
active proctype P() { z = 1 }
active proctype R() { x = 0 }
active proctype Q() provided (10 / (x + z) > 0) { end: c?_ }
