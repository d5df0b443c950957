chan ch = [0] of { byte }; byte x;
active proctype Q() { byte v; skip; ch?v }
active proctype P() { { assert(false) } unless { ch!1 } }
