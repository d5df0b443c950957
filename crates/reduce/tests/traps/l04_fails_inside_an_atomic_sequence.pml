active proctype P() { byte l; atomic { l = 1; assert(l == 2) } }
active proctype Q() { byte m; atomic { m = 1; m = 2 } }
