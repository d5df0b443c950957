// soon: not decided, the only execution stays in an atomic sequence for ever
// again: not decided
// lasts: not decided
// finite: not decided
// before: violated
// progress: violated
/* What a formula sees of a sequence that never ends is nothing: neither is it known that x stays 1, nor may the execution be left out. */
byte x;
active proctype P() { x = 1; atomic { do :: x == 1 od } }
ltl soon { <> (x == 5) }
ltl again { [] <> (x == 5) }
ltl lasts { [] (x == 1 -> <> (x == 0)) }
ltl finite { X X X X (x == 7) }
ltl before { [] (x == 0) }
