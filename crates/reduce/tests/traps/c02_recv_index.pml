byte a[2]; chan q = [1] of { byte, byte };
init { byte i; q!1,7; run Q(); q?i,a[i] }
proctype Q() { assert(a[1] == 7) }
