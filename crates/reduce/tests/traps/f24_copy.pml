chan q = [2] of { byte }; byte y;
active proctype A() { q!1; q!2 }
active proctype B() { byte v; q?<v>; assert(v == 2) }
active proctype C() { q?_; y = 1; }
active proctype D() { q??[2] -> assert(y == 1) }
