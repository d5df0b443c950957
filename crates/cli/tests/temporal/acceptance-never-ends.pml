// acceptance: not decided, the mark is passed again and again inside a sequence that never ends
byte x = 1;
active proctype P() { atomic { x = 1; do :: x == 1 -> accept: x = 2 :: x == 2 -> x = 1 od } }
