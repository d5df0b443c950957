byte x;
init { x = 1 }
ltl a { [] (x < 2) }
ltl a { <> (x == 2) }
