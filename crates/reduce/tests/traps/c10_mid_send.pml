chan q = [2] of { byte }; byte flag;
active proctype Q() { q!0; q?_ }
active proctype P() { len(q) == 1; atomic { q!1; flag = 1; q!2; flag = 0 } }
active proctype W() { assert(flag == 0) }
