// stronger: holds
// weaker: holds
// within: violated
// also_np: violated
// never_0: holds
/* Whether a claim has np_ in it does not change what it sees: not what is inside an atomic sequence. */
byte x;
active proctype P() { x = 1; atomic { x = 2; x = 3 }; x = 4 }
ltl stronger { [] (x != 2) }
ltl weaker { [] (x != 2 || !np_) }
ltl within { <> (x == 2) }
ltl also_np { <> (x == 2 && np_) }
never { do :: np_ :: x == 2 -> break od }
