// unseen: not decided, the state inside is not seen
// before: violated
// after: not decided
byte x, y, z;
active proctype P() { y = 1; atomic { x = 1; x = 5 / z; x = 2 }; y = 2 }
active proctype Q() { do :: y == 1 -> y = 3 :: y == 3 -> y = 1 :: y == 2 -> break od }
ltl unseen { [] (x == 0) }
ltl before { [] (y != 3) }
ltl after { [] (y != 2) }
