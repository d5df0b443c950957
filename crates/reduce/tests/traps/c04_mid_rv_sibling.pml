chan ch = [0] of { byte }; byte x, w;
active proctype P() { atomic { x = 1; ch!1 } }
active proctype R() { byte y; if :: ch?y :: w == 0 -> skip fi }
