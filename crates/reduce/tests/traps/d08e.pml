byte z;
active proctype P() { bit i, j; byte n; n = z; if :: n == 0 -> goto mid :: else -> skip fi; do :: atomic { i = 1 - i; mid: j = i; n = j } od }
active proctype Q() { z = 1; assert(false) }
