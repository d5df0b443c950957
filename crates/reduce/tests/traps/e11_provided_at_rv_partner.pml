bool e = 1; byte y; chan ch = [0] of { byte };
active proctype P() { ch!1 }
active proctype R() provided (e) { byte v; ch?v }
active proctype Q() { e = 0 }
