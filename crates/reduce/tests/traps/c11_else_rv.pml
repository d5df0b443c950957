chan ch = [0] of { byte }; byte x;
active proctype Q() { byte v; skip; ch?v }
active proctype P() { if :: ch!1 :: else -> assert(false) fi }
