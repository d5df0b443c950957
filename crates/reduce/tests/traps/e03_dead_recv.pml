chan q = [2] of { byte, byte }; byte a[4];
active proctype S() { q!2,5; q!2,6 }
active proctype P() { byte x, y; q?x,y; q?eval(x),a[x]; assert(a[2] == 6 && x == 2); y = 0 }
