chan c[2] = [1] of { byte }; 
active proctype P() { byte i; atomic { again: c[i]!1; i++; if :: i < 2 -> goto again :: else fi } }
active proctype Q() { assert(nempty(c[1])) }
