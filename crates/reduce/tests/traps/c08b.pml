byte z;
active proctype P() { bit i, j; if :: goto mid :: goto mid fi; top: atomic { i = 1 - i; mid: j = i }; goto top }
active proctype Q() { z = 1; assert(false) }
