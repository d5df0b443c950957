byte z;
active proctype P() { bit i, j; byte n; n = 1; goto mid; top: atomic { i = 1 - i; mid: j = i }; goto top }
active proctype Q() { z = 1; assert(false) }
