chan q = [2] of { byte, byte }; byte x = 1, y;
active proctype A() { q!1,2; q!2,3 }
active proctype B() { q?[1,eval(x)] -> assert(false) }
active proctype C() { x = 2; y = 1 }
active proctype D() { q?1,_; assert(y == 1) }
active proctype E() { q?2,eval(y + 2); assert(false) }
