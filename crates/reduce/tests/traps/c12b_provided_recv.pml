bool e; byte y; chan ch = [0] of { byte };
active proctype W() { y = 1 }
active proctype P() { ch!1 }
active proctype R() provided (e) { byte v; ch?v; assert(y == 1) }
active proctype Q() { e = 1 }
