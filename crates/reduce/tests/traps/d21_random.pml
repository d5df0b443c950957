chan q = [3] of { byte }; byte y;
active proctype A() { q!2; q!1 }
active proctype B() { q??1; y = 1 }
active proctype C() { q?2; assert(y == 0) }
active proctype D() { q?[1]; assert(y == 1) }
