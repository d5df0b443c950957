byte a[2];
active proctype P() { byte i; d_step { a[i] = 1; i++; a[i] = 1 } }
active proctype Q() { assert(a[1] == 1) }
