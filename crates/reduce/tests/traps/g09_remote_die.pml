byte y;
proctype A(byte v) { byte n; n = v; y = 1; n = 9 }
active proctype B() { pid p; p = run A(4); (A[p]:n == 9) -> skip; assert(A[p]:n == 9) }
