chan ch = [0] of { byte }; chan q = [2] of { byte }; byte e = 1, y;
active proctype W() { y = 1 }
active proctype P() { { q!1; assert(y == 1) } unless { e == 2 } }
active proctype Z() { byte v; ch?v }
active proctype Q() { ch!1 }
