bool e; byte y; chan ch = [0] of { byte };
active proctype W() { y = 1 }
active proctype P() provided (e) { ch!1; assert(y == 1) }
active proctype R() { byte v; ch?v }
active proctype Q() { e = 1 }
