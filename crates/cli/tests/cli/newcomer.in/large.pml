byte a[100000000];
active proctype P() { a[1] = 2; assert(a[1] == 2) }
