// never_0: holds, the claim has given the execution up
// never_1: not decided
byte x, z;
active proctype P() { x = 1; x = 2; x = 5 / z }
never { do :: x == 0 :: x == 1 -> break od; do :: x == 1 od; x == 7 }
never { do :: x < 9 :: x == 9 -> break od }
