chan ch = [0] of { byte }; byte x, z;
active proctype P() { atomic { x = 1; ch!1 } }
active proctype R() { byte y; atomic { ch?y; z = 1 } }
active proctype W() { assert(z == 1) }
