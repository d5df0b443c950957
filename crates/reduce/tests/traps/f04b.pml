chan ch = [0] of { byte }; byte x;
active proctype P() { atomic { x = 1; ch!1 } }
active proctype R() { byte y; if :: ch?y :: true -> assert(false); L: skip; goto L fi }
