chan ch = [0] of { byte }; byte x;
active proctype R() { byte y; if :: ch?y :: true -> L: skip; goto L fi }
active proctype P() { atomic { x = 1; ch!1; assert(false) } }
active proctype R2() { byte y; L: if :: ch?y :: true -> goto L fi }
