byte z;
active proctype P() { bit i, j; byte n; n = z; goto mid; do :: atomic { i = 1 - i; mid: j = i; n = j } od }
active proctype Q() { z = 1; assert(false) }
