byte g;
active proctype P() { bit i, j, n; g = 1; goto mid; do :: atomic { i = 1 - i; mid: j = i; n = j } od }
active proctype Q() { g == 1; assert(false) }
