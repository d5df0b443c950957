// never_0: violated
// never_0 fair: violated
byte x;
active proctype P() { do :: x = 1 :: x = 0 od }
active proctype Q() { byte n; do :: n < 3 -> n++ :: else -> break od }
never { do :: true :: x == 1 -> break od; accept: do :: x == 1 :: !(x == 1) -> break od }
