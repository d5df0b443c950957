byte a[2];
active proctype P() { byte i; atomic { again: a[i] = 1; i++; if :: i < 2 -> goto again :: else fi } }
active proctype Q() { assert(a[1] == 1) }
