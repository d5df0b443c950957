bit x;
active proctype p() { x = 1 }
ltl later { <> x }
