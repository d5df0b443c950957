chan ch = [0] of { byte }; byte z, flag;
active proctype Q() { byte v; z = 1; v = 3; v = v + 1; atomic { ch?v; flag = 0 } }
active proctype P() { z == 1; atomic { flag = 1; ch!1 } }
active proctype W() { assert(flag == 0) }
