byte a[2]; chan q = [2] of { byte, byte };
active proctype S() { q!1,7 }
active proctype P() { byte i; q?i,a[i] }
active proctype Q() { assert(a[1] == 7) }
