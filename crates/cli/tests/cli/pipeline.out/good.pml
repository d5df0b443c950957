byte x;
active [2] proctype P() { atomic { x++; assert(x < 3) } }
