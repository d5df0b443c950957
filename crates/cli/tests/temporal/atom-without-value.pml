// always: violated, z is 0 at the beginning
// unasked: violated, though an automaton need not ask for the division where g is 1
// left: violated, the automaton of <> gives up the execution before z is 0 again
// in_one_atom: holds, inside an atom the right side is not evaluated
byte z, g;

active proctype A() { g = 1; z = 1; g = 2; z = 0 }

ltl always { [] (g == 1 -> [] (g == 1 || 5 / z != 5)) }
ltl unasked { [] (g == 1 || 5 / z != 7) }
ltl left { <> (g == 1 || 5 / (z + (g == 0)) == 77) }
ltl in_one_atom { [] ((z == 0 || 5 / z != 7) == 1) }
