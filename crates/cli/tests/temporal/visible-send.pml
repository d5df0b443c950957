// p: violated, a send that meets no other step is taken after one of somebody else as well
chan c = [1] of { byte };
bit g;
active proctype A() { c!1 }
active proctype B() { g = 1; g = 0 }
ltl p { [] !(g == 1 && len(c) == 0) }
