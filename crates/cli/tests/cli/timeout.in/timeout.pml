byte x;
active proctype P() { timeout; x = 1 }
active proctype Q() { x == 0 -> x = 2; x == 1 }
