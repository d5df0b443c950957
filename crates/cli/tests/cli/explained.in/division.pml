byte x, zero;
active proctype P() { x = 1; x = 5 / zero }
ltl small { [] (x < 3) }
