// left: violated, a process leaves a place that the formula asks for
// ended: violated, and ends in one
bit g;
active proctype A() { byte l; here: l = 1; there: l = 2 }
active proctype B() { g = 1; g = 0 }
ltl left { [] !(g == 1 && A@here) }
ltl ended { [] !(g == 1 && A@there) }
