byte g;
active proctype A() { byte n; n = 1; n = 2; lab: n = 3; g = 1 }
active proctype B() { A@lab; assert(A:n == 2); }
active proctype C() { (A:n == 1); assert(g == 0); (A:n == 3) }
