chan ch = [0] of { byte }; byte x, z;
active proctype P() { atomic { x = 1; ch!1 } }
active proctype R() { ch?z }
active proctype W() { assert(z == 1) }
