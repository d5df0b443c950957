// again: violated, by going round without the error
// again fair: not decided, to be fair the error must happen
// never_0: violated
byte x, z;
active proctype P() { do :: x = 1 - x od }
active proctype Q() { (6 / z == 2) -> x = 3 }
ltl again { [] <> (x == 3) }
never { do :: true :: x == 1 -> break od; accept: do :: x < 3 od }
