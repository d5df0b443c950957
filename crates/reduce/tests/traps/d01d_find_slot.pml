byte a[3];
active proctype P() { byte i; atomic { do :: a[i] == 0 && i < 2 -> i++ :: else -> break od }; assert(i == 2) }
active proctype Q() { a[1] = 1 }
