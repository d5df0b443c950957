bool e = 1; byte f;
active proctype P() provided (e) { atomic { f = 1; f = 2; f = 0 } }
active proctype Q() { e = 0 }
active proctype W() { assert(f == 0) }
