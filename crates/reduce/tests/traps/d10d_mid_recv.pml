chan q = [3] of { byte }; byte flag;
active proctype Q() { q!1; q!2 }
active proctype P() { atomic { q?_; flag = 1; q?_; flag = 0 } }
active proctype W() { assert(flag == 0) }
