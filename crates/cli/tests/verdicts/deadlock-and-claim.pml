// safety: violated, once
// never_0: holds
byte x;
active proctype P() { x = 1; x == 2 }
never { do :: x < 3 :: x == 3 -> break od }
