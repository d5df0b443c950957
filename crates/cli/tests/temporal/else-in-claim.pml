// never_0: violated
// never_0 fair: violated
byte x;
active proctype P() { byte l = 3; x = 1; l = 4; x = 2 }
active proctype Q() { do :: x == 2 -> x = 0 :: x == 0 -> x = 2 od }
never { accept: do :: x == 7 :: else od }
