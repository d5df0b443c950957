chan ch = [0] of { byte }; chan q = [2] of { byte }; byte e = 1, y;
active proctype W() { y = 1 }
active proctype P() { { q!1; assert(y == 1) } unless { e == 1 -> skip } }
active proctype Q() { e = 0 }
active proctype Z() { ch!1 }
active proctype Z2() { ch?_ }
