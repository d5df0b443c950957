byte x;
init { x = 1 }
ltl formula { [] (x < 2) }
