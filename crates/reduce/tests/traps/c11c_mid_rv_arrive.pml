chan ch = [0] of { byte }; byte flag;
active proctype Q() { byte v; skip; atomic { ch?v; flag = 0 } }
active proctype P() { atomic { flag = 1; ch!1 } }
active proctype W() { assert(flag == 0) }
