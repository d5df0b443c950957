byte a[3];
active proctype P() { byte i; atomic { do :: a[i] == 0 -> i = (i + 1) % 3 :: a[i] != 0 -> break od } }
active proctype Q() { a[1] = 1 }
active proctype Z() { a[2] = 1 }
active proctype W() { a[0] = 0; assert(false) }
