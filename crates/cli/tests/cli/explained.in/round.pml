byte x;
bit p;
ltl ends { <> p }
active proctype P() { x = 7; x = 1; do :: x < 30 -> x++ :: x == 30 -> x = 1 od }
