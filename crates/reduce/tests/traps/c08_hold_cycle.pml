byte z;
active proctype P() { bit i, j; goto mid; do :: atomic { i = 1 - i; mid: j = i } od }
active proctype Q() { z = 1; assert(false) }
