chan ch = [0] of { byte }; byte z;
active proctype Q() { byte v; z = 1; v = 3; v = v + 1; ch?v }
active proctype P() { z == 1; if :: ch!1 :: else -> assert(false) fi }
