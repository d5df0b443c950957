// p: violated, the formula reads an element that is not the first
bit g;
byte a[3];
byte k = 1;
active proctype A() { a[1] = 1 }
active proctype B() { g = 1; g = 0 }
ltl p { [] !(g == 1 && a[k] == 0) }
