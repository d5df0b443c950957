// bounded: not decided, the error weighs more than the assertion before it
byte x, i = 3; byte a[2];
active proctype P() { d_step { assert(false); x = a[i] + 1 }; x = 4 }
ltl bounded { [] (x <= 3) }
