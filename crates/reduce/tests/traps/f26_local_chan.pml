chan a = [0] of { byte }; chan b = [0] of { byte }; byte y;
active proctype W() { y = 1 }
active proctype S() { chan c; byte n; do :: n == 0 -> c = a; n = 1 :: n == 1 -> c = b; c!1; n = 2 :: n == 2 -> break od }
active proctype R() { b?_; assert(y == 1) }
